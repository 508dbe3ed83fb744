/** @module Writes the reports of a run into a folder: JUnit XML, one HTML page, and JSON. */

import { writeText } from "../cannot_run.ts";
import type { RunResult } from "../run.ts";
import { htmlReport, type MutantReport } from "./html.ts";
import { junitReport } from "./junit.ts";
import { viewOf } from "./view.ts";

/** The report of `contract:mutants` in the same folder. */
export const MUTANTS_FILE = "mutants.json";

export async function writeReports(folder: string, result: RunResult): Promise<void> {
  const mutants = await readMutants(`${folder}/${MUTANTS_FILE}`);
  await writeText(`${folder}/junit.xml`, junitReport(result));
  await writeText(`${folder}/report.html`, htmlReport(result, mutants));
  await writeText(`${folder}/report.json`, `${JSON.stringify(jsonOf(result), null, 1)}\n`);
}

async function readMutants(path: string): Promise<MutantReport | undefined> {
  const text = await Deno.readTextFile(path).catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

/** The result without bodies, with maps as objects. */
function jsonOf(result: RunResult): unknown {
  return {
    ...result,
    open: viewOf(result).items.map((
      { severity, check, where, places, message, tiers, times, once },
    ) => ({ severity, check, where, places, message, tiers, times, ...(once ? { once } : {}) })),
    waived: result.waived.map(({ findings: _, tiers: _tiers, ...group }) => group),
    cells: result.cells.map(({ seen, ...cell }) => ({ ...cell, seen: Object.fromEntries(seen) })),
  };
}
