/** @module Writes the reports of a run into a folder: JUnit XML, one HTML page, and JSON. */

import type { RunResult } from "../run.ts";
import { htmlReport, type MutantReport } from "./html.ts";
import { junitReport } from "./junit.ts";

/** The report of `contract:mutants` in the same folder. */
export const MUTANTS_FILE = "mutants.json";

export async function writeReports(folder: string, result: RunResult): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const mutants = await readMutants(`${folder}/${MUTANTS_FILE}`);
  await Promise.all([
    Deno.writeTextFile(`${folder}/junit.xml`, junitReport(result)),
    Deno.writeTextFile(`${folder}/report.html`, htmlReport(result, mutants)),
    Deno.writeTextFile(`${folder}/report.json`, `${JSON.stringify(jsonOf(result), null, 1)}\n`),
  ]);
}

async function readMutants(path: string): Promise<MutantReport | undefined> {
  const text = await Deno.readTextFile(path).catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

/** The result without bodies, with maps as objects. */
function jsonOf(result: RunResult): unknown {
  const { open, cells, ...rest } = result;
  return {
    ...rest,
    open: open.map(({ check, where, message, tiers, findings }) => ({
      check,
      where,
      message,
      tiers,
      times: findings.length,
    })),
    waived: result.waived.map(({ check, where, message, reason }) => ({
      check,
      where,
      message,
      reason,
    })),
    cells: cells.map(({ seen, ...cell }) => ({ ...cell, seen: Object.fromEntries(seen) })),
  };
}
