/**
 * @module The benchmark as a program: service, floor and usual stack side by side on one machine.
 * `deno task bench --help` says what it can do. Exit code 0: measured; 2: could not be measured.
 */

// deno-lint-ignore-file no-console -- a program that prints

import { withFolder } from "../support/service.ts";
import { measureGrowth } from "./accept_growth.ts";
import { measureAnswers } from "./answers.ts";
import { chart } from "./chart.ts";
import { measureLatency } from "./latency.ts";
import { leadParts, type Part, sharesOf } from "./lead_parts.ts";
import { findLoader } from "./load.ts";
import { measureMemory } from "./memory.ts";
import { type Options, parseOptions, type PartName, USAGE, UsageError } from "./options.ts";
import { endAll, endOnSignals } from "./processes.ts";
import type { Row } from "./rows.ts";
import { measureStart } from "./start_up.ts";
import { table } from "./terminal.ts";

const MEASURED = 0;
const COULD_NOT_MEASURE = 2;

async function main(args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  if (options.help) {
    console.log(USAGE);
    return MEASURED;
  }
  const loader = await findLoader();
  await withFolder(async (folder) => {
    endOnSignals(folder);
    try {
      const { rows, parts } = await run(options, { loader, folder });
      if (rows.length > 0) console.log(table(rows));
      if (parts.length > 0) console.log(`\n${sharesOf(parts)}`);
      if (options.json !== undefined) {
        const { rounds, sliceMs, starts, requests } = options;
        const how = { loader, deno: Deno.version.deno, rounds, sliceMs, starts, requests };
        await Deno.writeTextFile(
          options.json,
          `${JSON.stringify({ how, rows, parts }, null, 2)}\n`,
        );
      }
      if (options.svg !== undefined) await Deno.writeTextFile(options.svg, chart(rows));
    } finally {
      await endAll();
    }
  });
  return MEASURED;
}

async function run(
  options: Options,
  { loader, folder }: {
    readonly loader: Awaited<ReturnType<typeof findLoader>>;
    readonly folder: string;
  },
): Promise<{ rows: Row[]; parts: readonly Part[] }> {
  const effort = { ...options, loader, folder, others: true, progress: console.error };
  const measures: Record<Exclude<PartName, "lead-parts">, () => Promise<Row[]>> = {
    answers: () => measureAnswers(options.cases, effort),
    start: () => measureStart(effort),
    latency: () => measureLatency(effort),
    memory: () => measureMemory(effort),
    growth: () => measureGrowth(effort.progress),
  };
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(measures)) {
    if (options.parts.includes(name as PartName)) rows.push(...await measure());
  }
  return { rows, parts: options.parts.includes("lead-parts") ? await leadParts() : [] };
}

try {
  Deno.exit(await main(Deno.args));
} catch (error) {
  const usage = error instanceof UsageError ? "\nSee deno task bench --help" : "";
  console.error(`${error instanceof Error ? error.message : error}${usage}`);
  Deno.exit(COULD_NOT_MEASURE);
}
