/** @module The result of a run for a terminal: the first failure on top, then the rest in short. */

import { curlOf } from "../exchange.ts";
import type { FindingGroup } from "../finding.ts";
import type { RunResult } from "../run.ts";

/** How to see it again, where a counter-example was kept. */
function replayLine({ findings }: FindingGroup): string[] {
  const replay = findings.find((finding) => finding.replay !== undefined)?.replay;
  return replay === undefined ? [] : [`  deno task contract --replay ${replay}`];
}

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
      ...replayLine(first),
      "",
      ...open.slice(1).flatMap((group) => [
        `✗ ${group.where}: ${group.message} (${group.check}, ${group.findings.length})`,
        ...replayLine(group),
      ]),
    ]),
    ...stale.map(({ check, where, message }) =>
      `✗ waiver that waives nothing any more: ${check} ${where}: ${message}`
    ),
    ...waived.map(({ where, message, reason }) => `~ ${where}: ${message}\n  waived: ${reason}`),
    "",
    ...tiers.flatMap(({ name, skipped, exchanges, findings, ms, notes = [] }) => [
      skipped === undefined
        ? `  ${name.padEnd(12)}${String(exchanges).padStart(7)} exchanges ${
          String(findings).padStart(5)
        } findings ${(ms / 1000).toFixed(1).padStart(6)} s`
        : `  ${name.padEnd(12)}        not run: ${skipped}`,
      ...notes.map((note) => `${" ".repeat(14)}${note}`),
    ]),
    "",
    `${held ? "Held" : "Violated"}: ${base}, ${exchanges} exchanges, ${
      (ms / 1000).toFixed(1)
    } s, seed ${seed}`,
  ];
  return lines.join("\n");
}
