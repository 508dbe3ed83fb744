/** @module Judges runs with a mutant, and summarizes all of them. */

import { DocumentError } from "../document.ts";
import type { FindingGroup } from "../finding.ts";
import type { RunResult } from "../run.ts";
import type { Mutant, Slow } from "./mutant.ts";

export interface Verdict extends Pick<Mutant, "name"> {
  /** The tiers that found something. */
  readonly caughtBy: readonly string[];
  /** Whether the tier and the rule that must catch it did. */
  readonly isCaught: boolean;
  /** The finding that proves it, else the first finding, in one line. */
  readonly first: string;
  readonly ms: number;
}

const SLOW: ReadonlySet<string> = new Set<Slow>(["raw", "limits", "faults"]);

/** Whether a tier runs for a mutant: the slow one that must catch it, or every fast one. */
export function isNeeded(tier: string, { by }: Mutant): boolean {
  return by === "matrix" || (by === undefined ? !SLOW.has(tier) : by === tier);
}

/**
 * Runs the harness against a mutant.
 * @throws {Error} if the harness could not run, or the mutant itself fails
 */
export async function judge(
  mutant: Mutant,
  attempt: (mutant: Mutant) => Promise<RunResult>,
): Promise<Verdict> {
  const { name } = mutant;
  const started = performance.now();
  const outcome = await attempt(mutant).then(
    ({ open }) => {
      const caughtBy = [...new Set(open.flatMap(({ tiers }) => tiers))];
      const proof = open.find((group) => isProof(group, mutant));
      const best = proof ?? open[0];
      const first = best === undefined ? "" : `${best.where}: ${best.message} (${best.check})`;
      return { caughtBy, isCaught: proof !== undefined, first };
    },
    (error) => {
      // An unreadable document is found before any tier runs.
      if (!(error instanceof DocumentError)) throw error;
      return { caughtBy: ["start"], isCaught: true, first: error.message };
    },
  );
  return { name, ...outcome, ms: performance.now() - started };
}

function isProof({ tiers, check }: FindingGroup, { by, check: wanted }: Mutant): boolean {
  return (by === undefined || tiers.includes(by)) && (wanted === undefined || check === wanted);
}

/** How many mutants each tier catches, and the mutants that were missed, one line each. */
export function summaryLines(verdicts: readonly Verdict[], tiers: readonly string[]): string[] {
  const missed = verdicts.filter(({ isCaught }) => !isCaught);
  const lines = [`${verdicts.length - missed.length} of ${verdicts.length} mutants caught`];
  for (const tier of ["start", ...tiers, "matrix"]) {
    const all = verdicts.filter(({ caughtBy }) => caughtBy.includes(tier));
    if (all.length === 0) continue;
    const alone = all.filter(({ caughtBy }) => caughtBy.length === 1).length;
    lines.push(`  ${tier.padEnd(12)} catches ${String(all.length).padStart(3)}, alone ${alone}`);
  }
  return [...lines, ...missed.map(({ name }) => `✗ ${name}`)];
}
