/** @module Whether other users of this machine can read the database's file. */

import { dirname } from "node:path";
import { isFile } from "../../config/kv_path.ts";
import { type Check, warn } from "./check.ts";

/** What anybody but the owner may do. */
const OTHERS_MAY_ENTER = 0o011;
const OTHERS_MAY_READ = 0o044;

/** The service makes both for its user alone, and leaves those that are there as they are. */
export const fileMode: Check = {
  name: "file",
  requires: ["KV_PATH"],
  async run({ config: { kvPath } }) {
    if (!isFile(kvPath)) return [];
    const file = await modeOf(kvPath);
    // A folder that may not be looked at is taken to be open.
    const folder = await modeOf(dirname(kvPath)) ?? OTHERS_MAY_ENTER;
    if (file === null || !(file & OTHERS_MAY_READ) || !(folder & OTHERS_MAY_ENTER)) return [];
    const octal = (file & 0o777).toString(8);
    return [
      warn(
        "file",
        `${kvPath} can be read by other users of this machine (mode ${octal})`,
        `Run chmod 600 ${kvPath}*; the service makes new files for its user alone.`,
      ),
    ];
  },
};

/** Null where there is no file, no mode (on Windows), or no permission to look. */
async function modeOf(path: string): Promise<number | null> {
  return await Deno.stat(path).then(({ mode }) => mode, () => null);
}
