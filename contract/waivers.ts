/**
 * @module Findings that are known and accepted for now, each with a reason. The list is a ratchet both
 * ways: what it does not name fails the run, and so does an entry that nothing matches any more.
 */

import { parse } from "yaml";
import { z } from "zod";
import { type Finding, type FindingGroup, grouped } from "./finding.ts";

const Waiver = z.strictObject({
  check: z.string().min(1),
  where: z.string().min(1),
  /** The finding's message, or the beginning of it. */
  message: z.string().min(1),
  reason: z.string().min(20),
  /** The room of the code that would have to change. */
  owner: z.string().min(1),
  /** The tier that sees it; without it, it must be seen by any run. */
  tier: z.string().optional(),
});

/** A finding that is accepted for now. */
export type Waiver = z.infer<typeof Waiver>;

/**
 * Reads the list; an empty file is an empty list.
 *
 * @throws {Error} naming every entry that is wrong
 */
export function readWaivers(text: string): Waiver[] {
  const parsed = z.array(Waiver).safeParse(parse(text) ?? []);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `  ${path.join(".")}: ${message}`);
  throw new Error(["Cannot use the waivers:", ...faults].join("\n"));
}

/** Findings by whether they are waived, grouped by cause, and waivers that waive nothing. */
export interface Waived {
  readonly open: readonly FindingGroup[];
  readonly waived: readonly (FindingGroup & { readonly reason: string })[];
  readonly stale: readonly Waiver[];
}

/**
 * Holds findings against the list.
 *
 * @param tiers the tiers that ran: a waiver for another cannot be stale
 */
export function applyWaivers(
  findings: readonly Finding[],
  { waivers, tiers }: { readonly waivers: readonly Waiver[]; readonly tiers: readonly string[] },
): Waived {
  const used = new Set<Waiver>();
  const open: Finding[] = [];
  const waived: (Finding & { readonly reason: string })[] = [];
  for (const finding of findings) {
    const matching = waivers.filter((waiver) => matches(waiver, finding));
    for (const waiver of matching) used.add(waiver);
    const [waiver] = matching;
    if (waiver === undefined) open.push(finding);
    else waived.push({ ...finding, reason: waiver.reason });
  }
  return {
    open: grouped(open),
    waived: grouped(waived).map((group) => ({ ...group, reason: group.findings[0]!.reason })),
    stale: waivers.filter((waiver) =>
      !used.has(waiver) && (waiver.tier === undefined || tiers.includes(waiver.tier))
    ),
  };
}

function matches(waiver: Waiver, { check, where, message }: Finding): boolean {
  return waiver.check === check && waiver.where === where && message.startsWith(waiver.message);
}
