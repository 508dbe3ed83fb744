/**
 * @module What the harness holds against a service: findings, and findings grouped by root cause, so
 * that one fault seen a thousand times is one line.
 */

import type { Exchange } from "./exchange.ts";

/** One violation. */
export interface Finding {
  /** The rule that is broken, such as `body_schema`. */
  readonly check: string;
  readonly tier: string;
  /** Where: an operation id, or a method and a path. */
  readonly where: string;
  /** What was expected and what was seen, in one line. Holds no value that differs from run to run. */
  readonly message: string;
  /** The exchange that shows it; some rules compare several and name the last. */
  readonly exchange?: Exchange | undefined;
  /** The file that sends it again, for `--replay`; from where the harness is called. */
  readonly replay?: string | undefined;
}

/** Findings with one cause. */
export interface FindingGroup {
  readonly check: string;
  readonly where: string;
  readonly message: string;
  readonly tiers: readonly string[];
  /** In the order in which they were found; the first is the one to look at. */
  readonly findings: readonly Finding[];
}

/** Groups by rule, place and message, in the order of first appearance. */
export function grouped(findings: readonly Finding[]): FindingGroup[] {
  const groups = Map.groupBy(
    findings,
    ({ check, where, message }) => JSON.stringify([check, where, message]),
  );
  return [...groups.values()].map((members) => {
    const { check, where, message } = members[0]!;
    const tiers = [...new Set(members.map(({ tier }) => tier))];
    return { check, where, message, tiers, findings: members };
  });
}
