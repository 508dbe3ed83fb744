/** @module What the harness makes of one mutant, and what came of all of them, in figures. */

import { DocumentError } from "../document.ts";
import type { FindingGroup } from "../finding.ts";
import type { RunResult } from "../run.ts";
import type { Mutant, Slow } from "./mutant.ts";

/** What came of a mutant. */
export interface Verdict extends Pick<Mutant, "name" | "breaks" | "fault"> {
  /** The tiers that noticed. */
  readonly caughtBy: readonly string[];
  /** Whether it was noticed, by the tier and the rule that have to. */
  readonly isCaught: boolean;
  /** Whether Schemathesis alone notices; undefined where it was not asked. */
  readonly bySchemathesis: boolean | undefined;
  /** What shows it best, in one line. */
  readonly first: string;
  readonly ms: number;
}

/** The tiers that take long, and that are run for the faults that they are to see. */
const SLOW: ReadonlySet<string> = new Set<Slow>(["raw", "limits", "faults"]);

/**
 * Whether a tier is run for a mutant when not all are: what has to see it, else all that is quick.
 */
export function isNeeded(tier: string, { by }: Mutant): boolean {
  return by === "matrix" || (by === undefined ? !SLOW.has(tier) : by === tier);
}

/** Those that wait much among those that work much, so that what runs at the same time fits. */
export function spread(mutants: readonly Mutant[]): Mutant[] {
  const groups = [mutants.filter(({ by }) => !by), mutants.filter(({ by }) => by)];
  return groups.flatMap((group) =>
    group.map((mutant, index) => ({ mutant, at: (index + 0.5) / group.length }))
  ).toSorted((one, other) => one.at - other.at).map(({ mutant }) => mutant);
}

/**
 * Runs the harness against a mutant, and Schemathesis where it is to be asked.
 *
 * @throws {Error} when it could not run, or a mutant fails itself
 */
export async function judge(mutant: Mutant, { attempt, schemathesis }: {
  readonly attempt: (mutant: Mutant) => Promise<RunResult>;
  readonly schemathesis: ((mutant: Mutant) => Promise<boolean>) | undefined;
}): Promise<Verdict> {
  const { name, breaks, fault } = mutant;
  const started = performance.now();
  const told = await attempt(mutant).then(
    ({ open }) => {
      const caughtBy = [...new Set(open.flatMap(({ tiers }) => tiers))];
      const shows = open.find((group) => isProof(group, mutant));
      const best = shows ?? open[0];
      const first = best === undefined ? "" : `${best.where}: ${best.message} (${best.check})`;
      const isCaught = shows !== undefined;
      return { caughtBy, isCaught, first };
    },
    (error) => {
      // A document that cannot be read at all is noticed before any tier runs.
      if (!(error instanceof DocumentError)) throw error;
      return { caughtBy: ["start"], isCaught: true, first: error.message };
    },
  );
  const ms = performance.now() - started;
  return { name, breaks, fault, ...told, bySchemathesis: await schemathesis?.(mutant), ms };
}

/** Whether a finding is what has to be found of a mutant. */
function isProof({ tiers, check }: FindingGroup, { by, check: wanted }: Mutant): boolean {
  return (by === undefined || tiers.includes(by)) && (wanted === undefined || check === wanted);
}

/** What came of all, a line each. */
export function figures(verdicts: readonly Verdict[], tiers: readonly string[]): string[] {
  const missed = verdicts.filter(({ isCaught }) => !isCaught);
  const lines = [`${verdicts.length - missed.length} of ${verdicts.length} mutants caught`];
  for (const tier of ["start", ...tiers, "matrix"]) {
    const all = verdicts.filter(({ caughtBy }) => caughtBy.includes(tier));
    if (all.length === 0) continue;
    const alone = all.filter(({ caughtBy }) => caughtBy.length === 1).length;
    lines.push(`  ${tier.padEnd(12)} catches ${String(all.length).padStart(3)}, alone ${alone}`);
  }
  const asked = verdicts.filter(({ bySchemathesis }) => bySchemathesis !== undefined);
  const theirs = asked.filter(({ bySchemathesis }) => bySchemathesis === true);
  if (asked.length > 0) {
    const only = theirs.filter(({ isCaught }) => !isCaught).length;
    lines.push(
      `  Schemathesis catches ${theirs.length} of ${asked.length} on its own, ` +
        `${only} of them that the tiers do not`,
    );
  }
  return [...lines, ...missed.map(({ name, fault }) => `✗ ${name}: ${fault}`)];
}
