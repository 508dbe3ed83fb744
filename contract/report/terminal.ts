/** @module The result of a run for a terminal, and as annotations of GitHub Actions. */

import type { RunResult, TierResult } from "../run/run.ts";
import { type Item, seconds, viewOf } from "./view.ts";

const MOST = { breach: 20, other: 10 };

const SHOWN = 200;

export function terminalReport(result: RunResult): string {
  const { waived, stale, tiers, base, left } = result;
  const { breach, advice, coverage, verdict, extent, totals, hints } = viewOf(result);
  const [first, ...others] = breach.slice(0, MOST.breach);
  const more = breach.length - MOST.breach;
  return [
    ...(first === undefined ? [] : inFull(first)),
    ...others.flatMap((item) => [`✗ ${lineOf(item)}`, ...sent(item)]),
    ...(more > 0 ? [`… ${more} more breaches: --report lists them`] : []),
    ...stale.map(({ check, where, message }) => `✗ stale waiver: ${check} ${where}: ${message}`),
    ...waived.map(({ where, message, reason }) => `~ ${where}: ${message}\n  waived: ${reason}`),
    "",
    ...folded(
      "Advice",
      // A refusal of what fits the document says nothing without the value.
      advice.map((item) =>
        [lineOf(item), ...item.check === "undocumented_rule" ? sent(item) : []].join("\n")
      ),
    ),
    ...folded("Not covered", [...left, ...coverage.map(lineOf)]),
    ...tiers.flatMap(tierLines),
    "",
    ...hints,
    `${verdict}: ${base}, ${extent}: ${totals}`,
    // A service's text must not drive the terminal.
  ].join("\n").replace(/[^\P{Cc}\n]/gu, "�");
}

function inFull(item: Item): string[] {
  const { where, message, check, times, places, tiers, exchange, line, again } = item;
  const often = times === 1 ? "once" : `${times} times`;
  const among = places.length > 1 ? ` in ${places.length} places` : "";
  const head = [
    `✗ ${where}: ${message}${remark(item)}`,
    `  rule ${check}, seen ${often}${among} by ${tiers.join(", ")}`,
  ];
  if (exchange === undefined) return [...head, ""];
  const { answer: { status, text }, title } = exchange;
  const got = `got ${status} ${text.slice(0, SHOWN)}`.replace(/\p{Cc}+/gu, " ").trimEnd();
  return [...head, ...[title, line, got, again ?? []].flat().map((one) => `  ${one}`), ""];
}

function sent({ line, again }: Item): string[] {
  return [line ?? [], again ?? []].flat().map((one) => `  ${one}`);
}

function lineOf(item: Item): string {
  const { where, message, check, times } = item;
  return `${where}: ${message} (${check}, ${times})${remark(item)}`;
}

function remark({ once }: Item): string {
  return once ? "; it did not come again" : "";
}

function folded(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MOST.other;
  return [
    `${title}: ${lines.length}`,
    ...lines.slice(0, MOST.other).map((line) => `- ${line}`),
    ...(more > 0 ? [`  … ${more} more: --report lists them`] : []),
    "",
  ];
}

function tierLines({ name, skipped, exchanges, findings, ms, notes }: TierResult): string[] {
  const outcome = skipped === undefined
    ? counted(exchanges, "exchange").padStart(17) + counted(findings, "finding").padStart(15) +
      `${seconds(ms).padStart(7)} s`
    : `        not run: ${skipped}`;
  return [`  ${name.padEnd(12)}${outcome}`, ...notes.map((note) => `${" ".repeat(14)}${note}`)];
}

/** A count for a column: the singular is as wide as the plural. */
function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? " " : "s"}`;
}

/** GitHub shows ten annotations of each level. */
export function annotations(result: RunResult): string {
  const { breach, advice, coverage } = viewOf(result);
  const levels = { error: breach, warning: advice, notice: coverage };
  return Object.entries(levels).flatMap(([level, items]) =>
    items.slice(0, MOST.other).map((item) => annotation(level, item))
  ).join("\n");
}

function annotation(level: string, { check, where, message, line }: Item): string {
  const title = encoded(`${where} (${check})`).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::${level} title=${title}::${encoded([message, line ?? []].flat().join("\n"))}`;
}

function encoded(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
