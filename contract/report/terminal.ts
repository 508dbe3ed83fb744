/** @module Renders the result of a run for a terminal: the first finding in full, then the others. */

import type { FindingGroup } from "../finding.ts";
import type { RunResult } from "../run.ts";
import type { TierResult } from "../run_tiers.ts";
import { count, curlExcerpt } from "./excerpt.ts";

export function terminalReport(result: RunResult): string {
  const { open, waived, stale, tiers, exchanges, ms, seed, base, held, advice } = result;
  return [
    ...open.flatMap((group, index) => index === 0 ? first(group) : other(group)),
    ...stale.map(({ check, where, message }) => `✗ stale waiver: ${check} ${where}: ${message}`),
    ...waived.map(({ where, message, reason }) => `~ ${where}: ${message}\n  waived: ${reason}`),
    "",
    ...tiers.flatMap(tierLines),
    "",
    ...(advice === undefined ? [] : [advice]),
    `${held ? "Held" : "Violated"}: ${base}, ${count(exchanges, "exchange")}, ${
      seconds(ms)
    } s, seed ${seed}`,
  ].join("\n");
}

function first(group: FindingGroup): string[] {
  const { where, message, check, tiers, findings } = group;
  const times = findings.length === 1 ? "once" : `${findings.length} times`;
  const { exchange, replay } = findings[0] ?? {};
  return [
    `✗ ${where}: ${message}`,
    `  rule ${check}, seen ${times} by ${tiers.join(", ")}`,
    ...(exchange === undefined
      ? []
      : [`  ${exchange.title}`, `  ${curlExcerpt(exchange, replay)}`]),
    ...replayLine(group),
    "",
  ];
}

function other(group: FindingGroup): string[] {
  const { where, message, check, findings } = group;
  return [`✗ ${where}: ${message} (${check}, ${findings.length})`, ...replayLine(group)];
}

function replayLine({ findings }: FindingGroup): string[] {
  const replay = findings.find((finding) => finding.replay !== undefined)?.replay;
  return replay === undefined ? [] : [`  deno task contract --replay ${replay}`];
}

function tierLines({ name, skipped, exchanges, findings, ms, notes }: TierResult): string[] {
  const outcome = skipped === undefined
    ? `${counted(exchanges, { noun: "exchange", width: 7 })} ` +
      `${counted(findings, { noun: "finding", width: 5 })} ` +
      `${seconds(ms).padStart(6)} s`
    : `        not run: ${skipped}`;
  return [`  ${name.padEnd(12)}${outcome}`, ...notes.map((note) => `${" ".repeat(14)}${note}`)];
}

/** A count in a column: the singular is padded to the width of the plural. */
function counted(n: number, { noun, width }: { noun: string; width: number }): string {
  return `${String(n).padStart(width)} ${n === 1 ? `${noun} ` : `${noun}s`}`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
