/** @module Writes the reports of a run into a folder: JUnit XML, one HTML page, and JSON. */

import { storedCall } from "../lib/exchange.ts";
import { writeText } from "../lib/cannot_run.ts";
import type { RunResult } from "../run/run.ts";
import { htmlReport } from "./html.ts";
import { junitReport } from "./junit.ts";
import { viewOf } from "./view.ts";

export async function writeReports(folder: string, result: RunResult): Promise<void> {
  await writeText(`${folder}/junit.xml`, junitReport(result));
  await writeText(`${folder}/report.html`, htmlReport(result));
  await writeText(`${folder}/report.json`, `${JSON.stringify(jsonOf(result), null, 1)}\n`);
}

function jsonOf(result: RunResult): unknown {
  return {
    ...result,
    open: viewOf(result).items.map(({ severity, places, times, once, exchange, ...item }) => {
      const { check, where, message, tiers } = item;
      const bytes = exchange?.bytes?.map((part) => part.toBase64());
      const call = bytes ? { method: "GET", path: "/" } : exchange?.call; // no other is sent
      const step = call && { ...storedCall(call), want: {}, bytes };
      const replay = step && { check, where, message, seed: result.seed, steps: [step] };
      const marks = { ...(once ? { once } : {}), ...(replay ? { replay } : {}) };
      return { severity, check, where, places, message, tiers, times, ...marks };
    }),
    waived: result.waived.map(({ findings: _, tiers: _tiers, ...group }) => group),
    cells: result.cells.map(({ seen, ...cell }) => ({ ...cell, seen: Object.fromEntries(seen) })),
  };
}
