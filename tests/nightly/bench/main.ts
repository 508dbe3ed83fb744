/** @module `deno task bench`. Exit code 1: a bar was missed twice in a row; 2: could not measure. */

// deno-lint-ignore-file no-console -- a program that prints

import { parseArgs } from "node:util";
import { withFolder } from "../../support/service.ts";
import { type Effort, measureAnswers, measureStarts, measureWaiting } from "./measure.ts";
import { measureMemory } from "./memory.ts";
import { chartOf, type Row, tableOf, verdictOf } from "./report.ts";
import { ANSWERS, STARTS } from "./rows.ts";

const EFFORT = { rounds: 7, sliceMs: 1_500, starts: 15, requests: 2e6 };
const NAMES = [...[...ANSWERS, ...STARTS].map(({ name }) => name), "memory", "waiting"];

const USAGE =
  `Measures the service beside a bare Deno.serve with the same answers and beside the usual
stack, by turns, and prints ratios and bars (10 minutes). Needs Linux and wrk. Close other programs first.

  deno task bench [options]

  --only NAMES  these rows only, by commas: ${NAMES.join(", ")}
  --json FILE   write the figures of all rounds there
  --svg FILE    write the chart there; that of docs/scale.md is .github/images/bench.svg
  --help

Exit code 0: every bar was met; 1: one was missed, twice in a row; 2: could not measure.
`;

async function measure(names: readonly string[], effort: Effort): Promise<Row[]> {
  const rows: Row[] = [];
  const asked = ANSWERS.filter(({ name }) => names.includes(name));
  if (asked.length > 0) rows.push(...await measureAnswers(asked, effort));
  rows.push(...await measureStarts(names, effort));
  if (names.includes("memory")) rows.push(...await measureMemory(effort));
  if (names.includes("waiting")) rows.push(await measureWaiting(effort));
  console.log(tableOf(rows));
  return rows;
}

/** The names of the rows whose bar was missed. */
function missedIn(rows: readonly Row[]): string[] {
  return rows.filter((row) => verdictOf(row) === "missed").map(({ name }) => name);
}

async function main(): Promise<number> {
  const text = { type: "string" } as const;
  const help = { type: "boolean" } as const;
  const options = { only: text, json: text, svg: text, help };
  const { values } = parseArgs({ args: Deno.args, options });
  const { only, json, svg } = values;
  const names = only?.split(",") ?? NAMES;
  const unknown = names.filter((name) => !NAMES.includes(name));
  if (unknown.length > 0) throw new Error(`--only knows ${NAMES.join(", ")}, not ${unknown}`);
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  return await withFolder(async (folder) => {
    const effort = { ...EFFORT, folder, progress: console.error };
    const rows = await measure(names, effort);
    if (json !== undefined) await Deno.writeTextFile(json, JSON.stringify({ ...EFFORT, rows }));
    if (svg !== undefined) await Deno.writeTextFile(svg, chartOf(rows));
    const missed = missedIn(rows);
    if (missed.length === 0) return 0;
    // A disturbance seldom lasts over two runs.
    console.log(`Missed: ${missed.join(", ")}. Measuring again.`);
    const again = await measure(
      names.filter((name) => missed.some((row) => row.startsWith(name))),
      effort,
    );
    return missedIn(again).some((name) => missed.includes(name)) ? 1 : 0;
  });
}

try {
  Deno.exit(await main());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  Deno.exit(2);
}
