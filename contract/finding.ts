/**
 * @module Findings, grouped by root cause: a fault seen a thousand times is reported once.
 */

import type { Exchange } from "./exchange.ts";

export interface Finding {
  /** The rule that is broken, such as `body_schema`. */
  readonly check: string;
  readonly tier: string;
  /** An operation id, or a method and a path. */
  readonly where: string;
  /** Expectation and observation in one line, without values that differ from run to run. */
  readonly message: string;
  /** The exchange that shows it; the last one if the rule compares several. */
  readonly exchange?: Exchange | undefined;
  /** A line for bash that sends the request again, if curl cannot. */
  readonly replayLine?: string | undefined;
  /** The file for `--replay`, relative to the working directory. */
  readonly replay?: string | undefined;
}

/** Findings with one cause: the same rule and message, in one place or several. */
export interface FindingGroup {
  readonly check: string;
  readonly where: string;
  readonly message: string;
  readonly tiers: readonly string[];
  /** In the order in which they were found. */
  readonly findings: readonly Finding[];
}

const MOST_NAMED = 3;

/** Groups by rule and message, in the order of first appearance. */
export function groupFindings<T extends Finding>(
  findings: readonly T[],
): (FindingGroup & { readonly findings: readonly T[] })[] {
  const groups = Map.groupBy(findings, ({ check, message }) => JSON.stringify([check, message]));
  return [...groups.values()].map((members) => {
    const { check, message } = members[0]!;
    const tiers = [...new Set(members.map(({ tier }) => tier))];
    return { check, where: placesOf(members), message, tiers, findings: members };
  });
}

function placesOf(findings: readonly Finding[]): string {
  const places = [...new Set(findings.map(({ where }) => where))];
  const named = places.slice(0, MOST_NAMED).join(", ");
  return places.length <= MOST_NAMED ? named : `${named} and ${places.length - MOST_NAMED} more`;
}
