/**
 * @module Renders the result of a run for a terminal: what is to be mended first in full, then the other
 * breaches, and a few lines of advice and of what was not covered.
 */

import { type FindingGroup, isPassing } from "../finding.ts";
import type { RunResult } from "../run.ts";
import type { TierResult } from "../run_tiers.ts";
import { bySeverity, count, curlExcerpt, totals, variablesOf } from "./excerpt.ts";

/** How many groups of each severity are listed. */
const MOST = { breach: 20, other: 10 };

/** How much of an answer is shown, in characters. */
const SHOWN = 200;

export function terminalReport(result: RunResult): string {
  const { waived, stale, tiers, exchanges, ms, seed, base, held, advice } = result;
  const { breach, ...groups } = bySeverity(result);
  const left = breach.length - MOST.breach;
  return [
    ...breach.slice(0, MOST.breach).flatMap((group, index) => [
      ...index === 0 ? first(group) : [`✗ ${lineOf(group)}`],
      ...sent(group, { command: result.command, isFirst: index === 0 }),
    ]),
    ...(left > 0 ? [`… ${left} more breaches: --report lists them`] : []),
    ...stale.map(({ check, where, message }) => `✗ stale waiver: ${check} ${where}: ${message}`),
    ...waived.map(({ where, message, reason }) => `~ ${where}: ${message}\n  waived: ${reason}`),
    "",
    ...folded("Advice", groups.advice.map(lineOf)),
    ...folded("Not covered", [...result.left, ...groups.coverage.map(lineOf)]),
    ...tiers.flatMap(tierLines),
    "",
    ...[advice ?? "", variablesOf(result)].filter((line) => line !== ""),
    `${held ? "Held" : "Violated"}: ${base}, ${count(exchanges, "exchange")}, ${
      seconds(ms)
    } s, seed ${seed}: ${totals(result)}`,
    // A service's text must not drive the terminal.
  ].join("\n").replace(/[^\P{Cc}\n]/gu, "�");
}

function first(group: FindingGroup): string[] {
  const { where, message, check, tiers, findings } = group;
  const times = findings.length === 1 ? "once" : `${findings.length} times`;
  const places = new Set(findings.map((finding) => finding.where)).size;
  const among = places > 1 ? ` in ${places} places` : "";
  return [
    `✗ ${where}: ${message}${remark(group)}`,
    `  rule ${check}, seen ${times}${among} by ${tiers.join(", ")}`,
  ];
}

/** What was sent, and for the first finding, what was tested and what came. */
function sent(
  { findings }: FindingGroup,
  { command, isFirst }: { readonly command: string; readonly isFirst: boolean },
): string[] {
  const { exchange, replay } = findings.find((one) => one.exchange !== undefined) ?? {};
  if (exchange === undefined) return isFirst ? [""] : [];
  const { answer: { status, text }, title } = exchange;
  const line = `  ${curlExcerpt(exchange, { command, replay })}`;
  const again = replay === undefined ? [] : [`  ${command} --replay ${replay}`];
  if (!isFirst) return [line, ...again];
  const got = `  got ${status} ${text.slice(0, SHOWN)}`.replace(/\p{Cc}+/gu, " ").trimEnd();
  return [`  ${title}`, line, got, ...again, ""];
}

function lineOf(group: FindingGroup): string {
  const { where, message, check, findings } = group;
  return `${where}: ${message} (${check}, ${findings.length})${remark(group)}`;
}

function remark(group: FindingGroup): string {
  return isPassing(group) ? "; it did not come again" : "";
}

/** A heading with the number of lines, and the first of them. */
function folded(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const left = lines.length - MOST.other;
  return [
    `${title}: ${lines.length}`,
    ...lines.slice(0, MOST.other).map((line) => `- ${line}`),
    ...(left > 0 ? [`  … ${left} more: --report lists them`] : []),
    "",
  ];
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
