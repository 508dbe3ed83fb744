/**
 * @module The guard of CI: fails where a ratio to the floor, measured in the same run, is 15 % below
 * the committed baseline, and again when it is measured a second time. Exit code 0: held; 1: fallen;
 * 2: could not be measured. Everything that is guarded is measured, or it is 2.
 */

// deno-lint-ignore-file no-console -- a program that prints

import { withFolder } from "../support/service.ts";
import { measureRatios } from "./answers.ts";
import { findLoader } from "./load.ts";
import { memoryShares } from "./memory.ts";
import { endAll, endOnSignals } from "./processes.ts";
import { type Baseline, baselineOf, type Fall, FALLEN, falls, type Rounds } from "./regressions.ts";
import { startSpeeds } from "./start_up.ts";
import { median } from "./stats.ts";

const BASELINE = new URL("baseline.json", import.meta.url);
const START = "start";
const MEMORY = "memory";
const GUARDED = [
  ...["health", "site", "home-html", "home-br", "home-304", "404-api"],
  ...["400", "429-attempts", "429-leads", "lead"],
  ...[START, MEMORY],
];
/** Many short slices: what disturbs one side of a round seldom lasts over several. */
const EFFORT = { rounds: 7, sliceMs: 400, starts: 15, requests: 400_000 };
/** A baseline is measured so many times as long. */
const BASELINE_ROUNDS = 3;

const WRITE = "--write-baseline";

const USAGE =
  `Fails where the service has become slower, or larger, as a ratio to a bare server measured beside it.

  deno task bench:guard [options]

  ${WRITE}  measure longer, and make that the baseline (tests/bench/baseline.json): after a
                    change that is worth what it costs, or to keep what has become faster
  --help

Needs Linux, and wrk: another program that makes the load would give other ratios.

Exit code 0: held; 1: a ratio was more than ${
    percent(1 - FALLEN)
  } below the baseline, twice; 2: could not measure.
`;

async function main(args: readonly string[], folder: string): Promise<number> {
  const unknown = args.filter((argument) => argument !== WRITE);
  if (unknown.length > 0) {
    throw new Error(`Cannot understand ${unknown.join(" ")}: see deno task bench:guard --help`);
  }
  if (args.includes(WRITE)) {
    const measured = await measure(GUARDED, { folder, times: BASELINE_ROUNDS });
    const text = `${JSON.stringify(baselineOf(measured), null, 2)}\n`;
    await Deno.writeTextFile(BASELINE, text);
    console.log(text);
    return 0;
  }
  const baseline: Baseline = JSON.parse(await Deno.readTextFile(BASELINE));
  const missing = GUARDED.filter((name) => baseline[name] === undefined);
  if (missing.length > 0) {
    throw new Error(`The baseline lacks ${missing.join(", ")}: run with ${WRITE}`);
  }
  const first = await measure(GUARDED, { folder, times: 1 });
  tell(first, baseline);
  const suspects = falls(first, baseline);
  if (suspects.length === 0) {
    console.log("Held: no ratio has fallen.");
    return 0;
  }
  const names = [...new Set(suspects.map(({ name }) => name))];
  console.log(`Below the baseline: ${names.join(", ")}. Once more …`);
  const second = await measure(names, { folder, times: 1 });
  tell(second, baseline);
  // Once by the clock and once by CPU time is not twice.
  const fallen = falls(second, baseline)
    .filter(({ name, by }) => suspects.some((one) => one.name === name && one.by === by));
  if (fallen.length === 0) {
    console.log("Held: it was the machine.");
    return 0;
  }
  console.log(`Fallen, twice in a row:\n${fallen.map(inWords).join("\n")}
Find what has become slow or large (deno task bench --only ${
    names.join(",")
  }), or, if it is worth it, run
deno task bench:guard ${WRITE} and commit tests/bench/baseline.json with the reason.`);
  return 1;
}

async function measure(
  names: readonly string[],
  { folder, times }: { readonly folder: string; readonly times: number },
): Promise<Record<string, Rounds>> {
  const loader = await findLoader();
  if (loader !== "wrk") throw new Error("Cannot compare with the baseline: wrk is not installed");
  const measured: Record<string, Rounds> = {};
  const effort = {
    ...EFFORT,
    rounds: EFFORT.rounds * times,
    loader,
    folder,
    progress: console.error,
  };
  const cases = names.filter((name) => name !== START && name !== MEMORY);
  for (
    const [{ name }, { service, work }] of await measureRatios(cases, { ...effort, others: false })
  ) {
    measured[name] = { clock: service, cpu: work };
  }
  if (names.includes(START)) {
    effort.progress("Start");
    measured[START] = { clock: await startSpeeds({ starts: EFFORT.starts * times, folder }) };
  }
  if (names.includes(MEMORY)) {
    const shares: number[] = [];
    for (let time = 0; time < times; time++) shares.push(...await memoryShares(effort));
    measured[MEMORY] = { clock: shares };
  }
  const missing = names.filter((name) => Number.isNaN(median(measured[name]?.clock ?? [])));
  if (missing.length > 0) throw new Error(`Cannot measure ${missing.join(", ")} on this machine`);
  return measured;
}

function tell(measured: Readonly<Record<string, Rounds>>, baseline: Baseline): void {
  for (const [name, { clock, cpu }] of Object.entries(measured)) {
    const held = baseline[name];
    const work = cpu === undefined ? "" : `, by CPU ${told(median(cpu), held?.cpu)}`;
    console.log(`${name.padEnd(14)}${told(median(clock), held?.clock)}${work}`);
  }
}

function told(now: number, held: number | undefined): string {
  return `${now.toFixed(2)} (baseline ${held?.toFixed(2) ?? "none"})`;
}

function inWords({ name, by, now, baseline }: Fall): string {
  const what = by === "cpu" ? "by CPU time " : "";
  return `  ${name}: ${what}${now.toFixed(2)} of the floor, was ${baseline.toFixed(2)} (${
    percent(1 - now / baseline)
  } less)`;
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}

if (Deno.args.includes("--help")) {
  console.log(USAGE);
  Deno.exit(0);
}
let code = 2;
try {
  await withFolder(async (folder) => {
    endOnSignals(folder);
    try {
      code = await main(Deno.args, folder);
    } finally {
      await endAll();
    }
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
}
Deno.exit(code);
