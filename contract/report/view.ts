/** @module What every report shows of a run: its findings by severity, and its totals. */

import { curlOf, type Exchange } from "../lib/exchange.ts";
import { type FindingGroup, isCounted, isPassing } from "../oracle/finding.ts";
import { RULES, type Severity, severityOf } from "../lib/rules.ts";
import type { RunResult } from "../run/run.ts";
import { variableOf } from "../lib/secrets.ts";

/** In characters. */
const MAX_SHOWN = 2_000;

/** The tier of `--replay`, which `--only` does not accept. */
const REPLAY = "replay";

export interface Item extends FindingGroup {
  readonly severity: Severity;
  readonly rule: string;
  readonly places: readonly string[];
  readonly times: number;
  readonly once: boolean;
  readonly counts: boolean;
  readonly exchange: Exchange | undefined;
  /** Its request as a line for bash, or the beginning and the command that sends it whole. */
  readonly line: string | undefined;
  readonly again: string | undefined;
}

export interface View extends Record<Severity, readonly Item[]> {
  readonly items: readonly Item[];
  /** `Passed`, `Violated`, or `Interrupted` before anything counted. */
  readonly verdict: string;
  /** `1 breach, 5 advice, 12 not covered`. */
  readonly totals: string;
  /** `31 of 33 operations, 812 exchanges, 4.2 s, seed 42`. */
  readonly extent: string;
  readonly hints: readonly string[];
}

export function viewOf(result: RunResult): View {
  const items = result.open.map((group, index) => itemOf(group, { result, number: index + 1 }));
  const { breach = [], advice = [], coverage = [] } = Object.groupBy(items, severityOf);
  const given = new Set(items.flatMap(({ exchange }) => exchange?.given ?? []));
  const variables = [...given].map(variableOf).join(" and ");
  const { passed, failed, exchanges, accepted, ms, seed } = result;
  const ended = exchanges > 0 ? "Interrupted" : "Nothing tested";
  return {
    ...{ items, breach, advice, coverage },
    verdict: passed && failed ? ended : passed ? "Passed" : "Violated",
    totals: `${breach.length} breach${breach.length === 1 ? "" : "es"}, ` +
      `${advice.length} advice, ${coverage.length} not covered`,
    extent: `${accepted.join(" of ")} operations, ${count(exchanges, "exchange")}, ` +
      `${seconds(ms)} s, seed ${seed}`,
    hints: [
      result.advice ?? [],
      variables === "" ? [] : `Set ${variables} first: the lines for bash need it.`,
    ].flat(),
  };
}

function itemOf(
  group: FindingGroup,
  { result, number }: { readonly result: RunResult; readonly number: number },
): Item {
  const { findings, check } = group;
  const { command, report } = result;
  const { exchange, replay } = findings.find((one) => one.exchange !== undefined) ?? {};
  const file = replay ?? (report && exchange && `${report}/report.json#${number}`);
  // Bytes that fetch does not send need no other program.
  const only = exchange?.bytes && `${command} --only raw`;
  const again = file === undefined ? only : `${command} --replay ${file}`;
  const whole = again ??
    (exchange?.tier === REPLAY ? undefined : `${command} --only ${exchange?.tier}`);
  return {
    ...group,
    severity: severityOf(group),
    rule: RULES.get(check)!.rule,
    places: [...new Set(findings.map(({ where }) => where))],
    times: findings.length,
    once: isPassing(group),
    counts: isCounted(group, result),
    exchange,
    line: exchange === undefined ? undefined : lineOf(exchange, whole),
    again,
  };
}

function lineOf(exchange: Exchange, whole: string | undefined): string {
  const line = curlOf(exchange);
  const shown = shortened(line);
  return shown === line || whole === undefined ? shown : `${shown}; ${whole} sends it whole`;
}

export function shortened(text: string): string {
  if (text.length <= MAX_SHOWN) return text;
  const more = (text.length - MAX_SHOWN).toLocaleString("en");
  return `${text.slice(0, MAX_SHOWN)}\n… ${more} more characters`;
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

export function seconds(ms: number, digits = 1): string {
  return (ms / 1000).toFixed(digits);
}

/** Text for HTML and XML, which cannot represent most control characters. */
export function escaped(text: string): string {
  return text.toWellFormed().replace(/[^\P{Cc}\n\t]|[\ufffe\uffff]/gu, "�")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
