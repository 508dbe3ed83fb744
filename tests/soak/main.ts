/** @module `deno task soak`: exit code 1 where a promise was broken, 2 where it was called wrongly. */

import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { isKept } from "./report.ts";
import { runSoak } from "./soak.ts";
import { tablesOf } from "./tables.ts";

const USAGE =
  `Mixed traffic on four real services while their target and their KV fail and two of them are
restarted, with the contract harness alongside. Needs Linux and denokv (cargo install denokv --locked).

  deno task soak [options]

  --minutes N   how long the traffic lasts, in whole rounds of 2 minutes (default: 15)
  --json FILE   write the figures there as well, in report/ or /tmp
  --help

Exit code 0: every promise was kept; 1: one was broken; 2: it was called wrongly.
`;

function print(to: typeof Deno.stdout | typeof Deno.stderr, text: string): void {
  to.writeSync(new TextEncoder().encode(text));
}

function readOptions() {
  try {
    const { values } = parseArgs({
      args: Deno.args,
      options: {
        minutes: { type: "string", default: "15" },
        json: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
    const minutes = Number(values.minutes);
    if (!(minutes > 0)) throw new Error("--minutes takes a number above 0");
    return { ...values, minutes };
  } catch (error) {
    print(Deno.stderr, `${(error as Error).message}\n\n${USAGE}`);
    Deno.exit(2);
  }
}

/** Finds out before the soak, and not after it, whether the file can be written. */
async function prepare(file: string): Promise<void> {
  try {
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, "");
  } catch (error) {
    print(Deno.stderr, `Cannot write ${file}: ${(error as Error).message}\n`);
    Deno.exit(2);
  }
}

const { minutes, json, help } = readOptions();
if (help) {
  print(Deno.stdout, USAGE);
  Deno.exit(0);
}
if (json !== undefined) await prepare(json);
const report = await runSoak({
  minutes,
  progress: (line) => print(Deno.stderr, `${line}\n`),
});
print(Deno.stdout, tablesOf(report));
if (json !== undefined) await Deno.writeTextFile(json, `${JSON.stringify(report, null, 1)}\n`);
Deno.exit(isKept(report) ? 0 : 1);
