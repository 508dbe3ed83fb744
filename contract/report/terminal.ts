/** @module The result of a run for a terminal: the first failure on top, then the rest in short. */

import { curlOf } from "../exchange.ts";
import type { RunResult } from "../run.ts";

/** The summary as text, without colours. */
export function terminalReport(result: RunResult): string {
  const { open, waived, stale, tiers, exchanges, ms, seed, base, held } = result;
  const first = open[0];
  const lines = [
    ...(first === undefined ? [] : [
      `✗ ${first.where}: ${first.message}`,
      `  rule ${first.check}, seen by ${first.tiers.join(", ")}, ${first.findings.length} times`,
      ...(first.findings[0]?.exchange === undefined
        ? []
        : [`  ${first.findings[0].exchange.title}`, `  ${curlOf(first.findings[0].exchange)}`]),
      "",
      ...open.slice(1).map(({ where, message, check, findings }) =>
        `✗ ${where}: ${message} (${check}, ${findings.length})`
      ),
    ]),
    ...stale.map(({ check, where, message }) =>
      `✗ waiver that waives nothing any more: ${check} ${where}: ${message}`
    ),
    ...waived.map(({ where, message, reason }) => `~ ${where}: ${message}\n  waived: ${reason}`),
    "",
    ...tiers.map(({ name, skipped, exchanges, findings, ms }) =>
      skipped === undefined
        ? `  ${name.padEnd(12)}${String(exchanges).padStart(7)} exchanges ${
          String(findings).padStart(5)
        } findings ${(ms / 1000).toFixed(1).padStart(6)} s`
        : `  ${name.padEnd(12)}        not run: ${skipped}`
    ),
    "",
    `${held ? "Held" : "Violated"}: ${base}, ${exchanges} exchanges, ${
      (ms / 1000).toFixed(1)
    } s, seed ${seed}`,
  ];
  return lines.join("\n");
}
