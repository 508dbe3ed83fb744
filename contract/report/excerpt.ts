/** @module Shortens requests and answers for reports: they may be hundreds of kilobytes long. */

import { curlOf, type Exchange } from "../exchange.ts";
import type { FindingGroup } from "../finding.ts";
import { type Severity, severityOf } from "../rules.ts";
import type { RunResult } from "../run.ts";
import { variableOf } from "../secrets.ts";

/** In characters. */
const MAX_SHOWN = 2_000;

/** The tier of `--replay`, which `--only` does not accept. */
const REPLAY = "replay";

/** The text, or its beginning and the number of omitted characters. */
export function shortened(text: string): string {
  if (text.length <= MAX_SHOWN) return text;
  const more = (text.length - MAX_SHOWN).toLocaleString("en");
  return `${text.slice(0, MAX_SHOWN)}\n… ${more} more characters`;
}

/**
 * The request as a line for bash, shortened, with the command that sends it whole.
 * @param options.command repeats the run; `replay` is the file of its counterexample, if there is one
 */
export function curlExcerpt(
  exchange: Exchange,
  { command, replay }: { readonly command: string; readonly replay: string | undefined },
): string {
  const line = curlOf(exchange);
  const shown = shortened(line);
  if (shown === line) return line;
  if (replay !== undefined) return `${shown}; ${command} --replay ${replay} sends it whole`;
  const { tier } = exchange;
  return tier === REPLAY ? shown : `${shown}; ${command} --only ${tier} sends it whole`;
}

/** The open groups by severity, what is to be mended first before the others. */
export function bySeverity(
  { open }: Pick<RunResult, "open">,
): Record<Severity, readonly FindingGroup[]> {
  const { breach = [], advice = [], coverage = [] } = Object.groupBy(open, severityOf);
  return { breach, advice, coverage };
}

/** `3 breaches, 5 advice, 12 not covered`. */
export function totals(result: Pick<RunResult, "open">): string {
  const { breach, advice, coverage } = bySeverity(result);
  return `${breach.length} breach${breach.length === 1 ? "" : "es"}, ` +
    `${advice.length} advice, ${coverage.length} not covered`;
}

/** The variables that the lines for bash need; empty if they need none. */
export function variablesOf({ open }: Pick<RunResult, "open">): string {
  const names = open.flatMap(({ findings }) => findings[0]?.exchange?.given ?? []);
  const variables = [...new Set(names)].map(variableOf).join(" and ");
  return variables === "" ? "" : `Set ${variables} first: the lines for bash need it.`;
}

/** A number and its noun: `1 exchange`, `2 exchanges`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
