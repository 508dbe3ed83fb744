/** @module Waivers: findings that are accepted for now. One that matches nothing fails the run. */

import { z } from "zod";
import { type Finding, type FindingGroup, groupFindings } from "../oracle/finding.ts";
import { globOf } from "./permits.ts";
import { CannotRun } from "../lib/cannot_run.ts";
import { readYaml } from "../lib/yaml_file.ts";

const Waiver = z.strictObject({
  check: z.string().min(1),
  /** The finding's place; `*` is any text. */
  where: z.string().min(1),
  /** The finding's message or its beginning; `*` is any text. */
  message: z.string().min(1),
  reason: z.string().min(20),
  /** The folder of the code that has to change. */
  owner: z.string().min(1),
  /** The only tier that sees it; without it, every run must see it. */
  tier: z.string().optional(),
});

export type Waiver = z.infer<typeof Waiver>;

const Waivers = z.array(Waiver).nullable();

/** Empty without a file, unless it is needed. @throws {CannotRun} naming every invalid entry */
export async function readWaivers(
  file: URL,
  { isNeeded }: { readonly isNeeded?: boolean } = {},
): Promise<Waiver[]> {
  const waivers = await readYaml(file, Waivers);
  if (waivers === undefined && isNeeded) throw new CannotRun("there is no such file");
  return waivers ?? [];
}

export interface Waived {
  readonly open: readonly FindingGroup[];
  readonly waived: readonly (FindingGroup & { readonly reason: string })[];
  readonly stale: readonly Waiver[];
}

/** @param tiers the tiers that ran: a waiver for another tier is not stale */
export function applyWaivers(
  findings: readonly Finding[],
  { waivers, tiers }: { readonly waivers: readonly Waiver[]; readonly tiers: readonly string[] },
): Waived {
  const waiversOf = (finding: Finding) =>
    waivers.filter(({ check, where, message }) =>
      check === finding.check && globOf(where).test(finding.where) &&
      globOf(`${message}*`).test(finding.message)
    );
  const used = new Set(findings.flatMap(waiversOf));
  const { open = [], waived = [] } = Object.groupBy(
    findings,
    (finding) => waiversOf(finding).length === 0 ? "open" : "waived",
  );
  return {
    open: groupFindings(open),
    waived: groupFindings(waived).map((group) => {
      const { reason } = waiversOf(group.findings[0]!)[0]!;
      return { ...group, reason };
    }),
    stale: waivers.filter((waiver) =>
      !used.has(waiver) && (waiver.tier === undefined || tiers.includes(waiver.tier))
    ),
  };
}
