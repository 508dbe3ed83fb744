/**
 * @module Which server answers the sockets: what a platform does with messages that never reach a
 * service is known for some, and rows about it are sent to these alone.
 */

import type { Session } from "../session.ts";
import { readAnswers } from "./answers.ts";
import { getMessage } from "./message.ts";
import { openWire } from "./wire.ts";

/** The platforms that are known, by the headers of their answer to a malformed request line. */
const PLATFORMS: Readonly<Record<string, string>> = {
  deno: "content-length,date,connection",
};

const PATIENCE_MS = 5_000;

/**
 * The platform that takes a session's connections; undefined: another, or something in front of it.
 */
export async function platformOf({ base }: Pick<Session, "base">): Promise<string | undefined> {
  const wire = await openWire(base);
  try {
    const sending = wire.send(getMessage("a target with blanks", "x"));
    const read = () => readAnswers(wire.bytes(), { methods: ["GET"], ended: wire.ended() });
    await wire.until(() => read().answers.length > 0, PATIENCE_MS);
    await sending;
    const [answer] = read().answers;
    if (answer?.status !== 400 || answer.body.length > 0) return undefined;
    const names = answer.fields.map(([name]) => name).join();
    return Object.keys(PLATFORMS).find((platform) => PLATFORMS[platform] === names);
  } finally {
    await wire.close();
  }
}
