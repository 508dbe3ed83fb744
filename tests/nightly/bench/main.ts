/** @module `deno task bench` and `bench:guard`. Exit code 1: a regression, twice; 2: could not measure. */

// deno-lint-ignore-file no-console -- a program that prints

import { parseArgs } from "node:util";
import { withFolder } from "../../support/service.ts";
import {
  type Effort,
  measureAnswers,
  measureMemory,
  measureStart,
  measureWaiting,
} from "./measure.ts";
import { chartOf, guarded, median, type Row, tableOf, verdictOf } from "./report.ts";
import { ANSWERS } from "./rows.ts";

const FULL = { rounds: 7, sliceMs: 1_500, starts: 15, requests: 2e6, usual: true, guard: false };
/** Many short slices, because a disturbance seldom lasts over several. */
const GUARD = { rounds: 7, sliceMs: 200, starts: 7, requests: 8e4, usual: false, guard: true };
const BASELINE = { ...GUARD, rounds: 3 * GUARD.rounds, starts: 3 * GUARD.starts };
const NAMES = [...ANSWERS.map(({ name }) => name), "start", "memory", "waiting"];
const GUARDED = ["health", "home-html", "304", "404", "429", "400", "lead", "start", "memory"];
/** A ratio has fallen if three of four rounds are below their bar. */
const ONE_OF_FOUR = 0.75;
const FILE = new URL("baseline.json", import.meta.url);

const USAGE =
  `Measures the service beside a bare Deno.serve with the same answers and beside the usual
stack, by turns, and prints ratios and bars (10 minutes). Needs Linux and wrk. Close other programs first.

  deno task bench [options]

  --only NAMES      these rows only, by commas: ${NAMES.join(", ")}
  --json FILE       write the figures of all rounds there
  --svg FILE        write the chart there; README's is .github/images/bench.svg
  --guard           compare with tests/nightly/bench/baseline.json in place of the bars (deno task bench:guard)
  --write-baseline  measure what is guarded for longer, and make it the baseline
  --help

Exit code 0: measured, or no regression; 1: a regression, twice in a row; 2: could not measure.
`;

async function measure(names: readonly string[], effort: Effort): Promise<Row[]> {
  const rows: Row[] = [];
  const asked = ANSWERS.filter(({ name }) => names.includes(name));
  if (asked.length > 0) rows.push(...await measureAnswers(asked, effort));
  if (names.includes("start")) rows.push(await measureStart(effort));
  if (names.includes("memory")) rows.push(...await measureMemory(effort));
  if (names.includes("waiting")) rows.push(await measureWaiting(effort));
  return rows;
}

/** Measures fallen rows again; a regression is the same row twice. */
async function guard(effort: Effort): Promise<number> {
  const baseline = JSON.parse(await Deno.readTextFile(FILE));
  let fallen: string[] = [];
  let names: readonly string[] = GUARDED;
  for (const time of ["first", "second"]) {
    const measured = await measure(names, effort);
    const rows = measured.filter(isGuarded).map((row) => guarded(row, baseline));
    console.log(tableOf(rows, ONE_OF_FOUR));
    const unclocked = without(rows, names);
    if (unclocked.length > 0) console.log(`Too busy to judge by the clock: ${unclocked}`);
    const short = rows.filter((row) => verdictOf(row, ONE_OF_FOUR) === "SHORT")
      .map(({ name }) => name);
    fallen = time === "first" ? short : short.filter((name) => fallen.includes(name));
    if (fallen.length === 0) return 0;
    console.log(`Fallen, measured for the ${time} time: ${fallen.join(", ")}`);
    names = GUARDED.filter((name) => fallen.some((one) => one.startsWith(name)));
  }
  return 1;
}

function without(rows: readonly Row[], names: readonly string[]): string[] {
  return names.filter((name) => rows.every((row) => row.name !== name));
}

function isGuarded({ name }: Row): boolean {
  return GUARDED.some((one) => name === one || name.startsWith(`${one} `));
}

async function main(): Promise<number> {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const options = { only: text, json: text, svg: text, guard: flag, "write-baseline": flag };
  const { values } = parseArgs({ args: Deno.args, options: { ...options, help: flag } });
  const names = values.only?.split(",") ?? NAMES;
  const unknown = names.filter((name) => !NAMES.includes(name));
  if (unknown.length > 0) throw new Error(`--only knows ${NAMES.join(", ")}, not ${unknown}`);
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  return await withFolder(async (folder) => {
    const places = { folder, progress: console.error };
    if (values["write-baseline"]) {
      const rows = await measure(GUARDED, { ...BASELINE, ...places });
      const unclocked = without(rows, GUARDED);
      if (unclocked.length > 0) throw new Error(`The machine is too busy: ${unclocked}`);
      const medians = rows.filter(isGuarded).map(({ name, rounds }) =>
        [name, Number(median(rounds).toFixed(2))] as const
      );
      const text = JSON.stringify(Object.fromEntries(medians), null, 2);
      await Deno.writeTextFile(FILE, `${text}\n`);
      return 0;
    }
    if (values.guard) return await guard({ ...GUARD, ...places });
    const { json, svg } = values;
    const rows = await measure(names, { ...FULL, ...places });
    console.log(tableOf(rows));
    if (json !== undefined) await Deno.writeTextFile(json, JSON.stringify({ ...FULL, rows }));
    if (svg !== undefined) await Deno.writeTextFile(svg, chartOf(rows));
    return 0;
  });
}

try {
  Deno.exit(await main());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  Deno.exit(2);
}
