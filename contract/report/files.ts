/** @module Writes the reports of a run into a folder: JUnit XML, one HTML page, and JSON. */

import { isPassing } from "../finding.ts";
import { severityOf } from "../rules.ts";
import type { RunResult } from "../run.ts";
import { maskedMember } from "../secrets.ts";
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
    Deno.writeTextFile(
      `${folder}/report.json`,
      `${JSON.stringify(jsonOf(result), maskedMember, 1)}\n`,
    ),
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
    open: open.map((group) => ({
      severity: severityOf(group),
      check: group.check,
      where: group.where,
      places: [...new Set(group.findings.map(({ where }) => where))],
      message: group.message,
      tiers: group.tiers,
      times: group.findings.length,
      ...(isPassing(group) ? { once: true } : {}),
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
