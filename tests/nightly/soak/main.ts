/** @module `deno task soak`: exit code 1 where a promise was broken, 2 where it was called wrongly. */

import { InvalidArgumentError } from "commander";
import { dirname } from "node:path";
import { EXIT_FAILED, runProgram, standardOutput } from "../../../cli/terminal.ts";
import { runSoak, type SoakReport } from "./soak.ts";

const ABOUT =
  "Mixed traffic on two real services while their receiver and their KV fail, and one is " +
  "killed and restarted. Needs Linux and denokv (cargo install denokv --locked).\n\n" +
  "Exit code 0: every promise was kept; 1: one was broken; 2: it was called wrongly.";

const MOST_PRINTED = 10;
const output = standardOutput(EXIT_FAILED);
const asked: { readonly minutes: number; readonly json?: string }[] = [];

function minutesOf(text: string): number {
  const minutes = Number(text);
  if (minutes > 0) return minutes;
  throw new InvalidArgumentError("It must be a number above 0.");
}

function tableOf({ figures, promises }: SoakReport): string {
  const verdicts = Object.entries(promises).flatMap(([promise, broken]) => [
    `${broken.length === 0 ? "✓" : `✗ (${broken.length})`} ${promise}`,
    ...broken.slice(0, MOST_PRINTED).map((how) => `    ${how}`),
  ]);
  const rows = Object.entries(figures).map(([name, value]) =>
    `${name.padEnd(34)}${JSON.stringify(value).replaceAll(/["{}]/g, "").replaceAll(",", ", ")}`
  );
  return [...rows, "", ...verdicts, ""].join("\n");
}

const name = "deno task soak";
const invalid = await runProgram({ name, words: Deno.args, ...output }, (program) => {
  program.description(ABOUT)
    .option("--minutes <n>", "how long the traffic lasts, in rounds of 40 seconds", minutesOf, 15)
    .option("--json <file>", "write the figures there as well, in report/ or /tmp")
    .action((options) => void asked.push(options));
});
const [options] = asked;
if (options === undefined) Deno.exit(invalid);
const { minutes, json } = options;
// Fails before the soak if the file cannot be written.
if (json !== undefined) Deno.mkdirSync(dirname(json), { recursive: true });
if (json !== undefined) Deno.writeTextFileSync(json, "");
const report = await runSoak(minutes, (line) => output.err(`${line}\n`));
output.out(tableOf(report));
if (json !== undefined) await Deno.writeTextFile(json, JSON.stringify(report));
Deno.exit(Object.values(report.promises).every((broken) => broken.length === 0) ? 0 : EXIT_FAILED);
