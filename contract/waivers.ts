/**
 * @module Findings that are known and accepted for now, each with a reason. The list is a ratchet
 * both ways: what it does not name fails the run, and so does an entry that nothing matches any
 * more.
 */

import { z } from "zod";
import { type Finding, type FindingGroup, groupFindings } from "./finding.ts";
import { readYaml } from "./yaml_file.ts";

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

const Waivers = z.array(Waiver).nullable();

/**
 * Reads the list of a folder; empty without a file.
 * @throws {CannotRun} naming every entry that is wrong
 */
export async function readWaivers(folder: URL): Promise<Waiver[]> {
  return await readYaml(new URL("waivers.yaml", folder), Waivers) ?? [];
}

/** Findings by whether they are waived, groupFindings by cause, and waivers that waive nothing. */
export interface Waived {
  readonly open: readonly FindingGroup[];
  readonly waived: readonly (FindingGroup & { readonly reason: string })[];
  readonly stale: readonly Waiver[];
}

/**
 * Holds findings against the list.
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
    open: groupFindings(open),
    waived: groupFindings(waived).map((group) => ({ ...group, reason: group.findings[0]!.reason })),
    stale: waivers.filter((waiver) =>
      !used.has(waiver) && (waiver.tier === undefined || tiers.includes(waiver.tier))
    ),
  };
}

function matches(waiver: Waiver, { check, where, message }: Finding): boolean {
  return waiver.check === check && waiver.where === where && message.startsWith(waiver.message);
}
