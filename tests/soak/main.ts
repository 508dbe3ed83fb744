/** @module `deno task soak`: exit code 1 where a promise was broken, 2 where it was called wrongly. */

// deno-lint-ignore-file no-console -- a program that prints

import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { runSoak, type SoakReport } from "./soak.ts";

const USAGE =
  `Mixed traffic on two real services while their receiver and their KV fail, and one of them
is killed and restarted. Needs Linux and denokv (cargo install denokv --locked).

  deno task soak [options]

  --minutes N   how long the traffic lasts, in rounds of 40 seconds (default: 15)
  --json FILE   write the figures there as well, in report/ or /tmp
  --help

Exit code 0: every promise was kept; 1: one was broken; 2: it was called wrongly.
`;

const MOST_PRINTED = 10;

function readOptions() {
  const options = {
    minutes: { type: "string", default: "15" },
    json: { type: "string" },
    help: { type: "boolean" },
  } as const;
  const { values } = parseArgs({ args: Deno.args, options });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error("--minutes takes a number above 0");
  // Fails before the soak if the file cannot be written.
  if (values.json !== undefined) Deno.mkdirSync(dirname(values.json), { recursive: true });
  if (values.json !== undefined) Deno.writeTextFileSync(values.json, "");
  return { ...values, minutes };
}

function tableOf({ figures, promises }: SoakReport): string {
  const verdicts = Object.entries(promises).flatMap(([promise, broken]) => [
    `${broken.length === 0 ? "✓" : `✗ (${broken.length})`} ${promise}`,
    ...broken.slice(0, MOST_PRINTED).map((how) => `    ${how}`),
  ]);
  const rows = Object.entries(figures).map(([name, value]) =>
    `${name.padEnd(34)}${JSON.stringify(value).replaceAll(/["{}]/g, "").replaceAll(",", ", ")}`
  );
  return [...rows, "", ...verdicts].join("\n");
}

let options: ReturnType<typeof readOptions>;
try {
  options = readOptions();
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  Deno.exit(2);
}
if (options.help) {
  console.log(USAGE);
  Deno.exit(0);
}
const report = await runSoak(options.minutes, console.error);
console.log(tableOf(report));
if (options.json !== undefined) await Deno.writeTextFile(options.json, JSON.stringify(report));
Deno.exit(Object.values(report.promises).every((broken) => broken.length === 0) ? 0 : 1);
