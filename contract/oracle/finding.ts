/** @module Findings, grouped by root cause: a problem seen a thousand times is reported once. */

import { causeOf } from "../document/error_lines.ts";
import type { Problem } from "../document/document.ts";
import type { Exchange } from "../lib/exchange.ts";
import { severityOf } from "../lib/rules.ts";

export interface Finding extends Omit<Problem, "check"> {
  readonly check: string;
  readonly tier: string;
  /** The exchange that shows it; the last one if the rule compares several. */
  readonly exchange?: Exchange | undefined;
  /** The file for `--replay`, relative to the working directory. */
  readonly replay?: string | undefined;
  /** The same request, sent again, did not show it. */
  readonly once?: boolean;
}

/** Findings with one cause: the same rule and message, in one place or several. */
export interface FindingGroup {
  readonly check: string;
  readonly where: string;
  readonly message: string;
  readonly tiers: readonly string[];
  readonly findings: readonly Finding[];
}

/** How much of an answer a finding keeps, in bytes. */
const MOST_KEPT = 100_000;

/** Adds findings; one that is known has no exchange, so that answers do not fill the memory. */
export function collectorOf(findings: Finding[]): (finding: Finding) => void {
  const known = new Set<string>();
  return ({ exchange, ...finding }) => {
    const isNew = exchange !== undefined && !known.has(keyOf(finding));
    if (isNew) known.add(keyOf(finding));
    findings.push(isNew ? { ...finding, exchange: beginningOf(exchange) } : finding);
  };
}

export function keyOf({ check, where, message }: Omit<Finding, "exchange">): string {
  return [check, where, message].join("\n");
}

function beginningOf(exchange: Exchange): Exchange {
  const { answer } = exchange;
  if (answer.body.length <= MOST_KEPT) return exchange;
  const body = answer.body.slice(0, MOST_KEPT);
  return { ...exchange, answer: { ...answer, body, text: new TextDecoder().decode(body) } };
}

const MOST_NAMED = 3;

/** The order in which rules are to be fixed: what fails, then what misleads clients, then the rest. */
const FIRST = [
  ...["base_right", "credentials_given", "answers", "no_server_error"],
  ...["body_schema", "media_type", "status_documented", "response_headers"],
  ...["valid_accepted", "positive_acceptance", "broken_refused"],
];

const SEVERITIES = ["breach", "advice", "coverage"];

export function groupFindings(all: readonly Finding[]): FindingGroup[] {
  const breaches = new Set(
    all.filter((one) => severityOf(one) === "breach").map(({ where, message }) => where + message),
  );
  // The same status as breach, and as advice where the request was an odd one.
  const findings = all.filter((one) =>
    one.check !== "status_common" || !breaches.has(one.where + one.message)
  );
  const groups = Map.groupBy(findings, ({ check, message }) => `${check}\n${causeOf(message)}`);
  return [...groups.values()].map((members) => {
    const { check, message } = members[0]!;
    const tiers = [...new Set(members.map(({ tier }) => tier))];
    return { check, where: placesOf(members), message, tiers, findings: members };
  }).toSorted((one, other) => weightOf(one) - weightOf(other));
}

function weightOf(group: FindingGroup): number {
  const rank = group.check === "harness_error" ? FIRST.length + 1 : FIRST.indexOf(group.check);
  return 100 * SEVERITIES.indexOf(severityOf(group)) + (isPassing(group) ? 50 : 0) +
    (rank < 0 ? FIRST.length : rank);
}

export function isPassing({ findings }: FindingGroup): boolean {
  return findings.length > 0 && findings.every(({ once }) => once === true);
}

export function isCounted(group: FindingGroup, { strict }: { readonly strict: boolean }): boolean {
  return strict || (severityOf(group) === "breach" && !isPassing(group));
}

function placesOf(findings: readonly Finding[]): string {
  const places = [...new Set(findings.map(({ where }) => where))];
  const named = places.slice(0, MOST_NAMED).join(", ");
  return places.length <= MOST_NAMED ? named : `${named} and ${places.length - MOST_NAMED} more`;
}
