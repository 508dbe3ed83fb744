/**
 * @module The guard's decision: which ratios have fallen below the committed baseline. Pure.
 *
 * Every figure is a share of the floor's speed in the same run, so that more is better, for starting
 * as well. Two figures are kept of answers: by CPU time, which other programs hardly disturb, and by the
 * clock, which also sees a handler that waits. Memory has one figure, the floor's share of the
 * service's, and stands where those of the clock do. Medians count.
 */

import { median } from "./stats.ts";

/** Ratios to the floor, one a round. */
export interface Rounds {
  readonly clock: readonly number[];
  /** NaN where the system does not tell. */
  readonly cpu?: readonly number[] | undefined;
}

/** What is committed: medians, rounded to a hundredth. */
export type Baseline = Readonly<Record<string, { readonly clock: number; readonly cpu?: number }>>;

/** One figure that has fallen. */
export interface Fall {
  readonly name: string;
  readonly by: "clock" | "cpu";
  readonly baseline: number;
  readonly now: number;
}

/** A ratio below this part of its baseline has fallen. */
export const FALLEN = 0.85;

/**
 * All that has fallen, in the order in which it was measured.
 *
 * @throws {Error} on what the baseline lacks, and on what has no figure by the clock
 */
export function falls(measured: Readonly<Record<string, Rounds>>, baseline: Baseline): Fall[] {
  return Object.entries(measured).flatMap(([name, { clock, cpu }]) => {
    const held = baseline[name];
    if (held === undefined) throw new Error(`Cannot judge ${name}: the baseline does not have it`);
    const now = { clock: median(clock), cpu: median(cpu ?? []) };
    if (Number.isNaN(now.clock)) throw new Error(`Cannot judge ${name}: it was not measured`);
    return (["clock", "cpu"] as const).flatMap((by) => {
      const before = held[by];
      return before !== undefined && now[by] < FALLEN * before
        ? [{ name, by, baseline: before, now: now[by] }]
        : [];
    });
  });
}

/** A baseline of what was measured. */
export function baselineOf(measured: Readonly<Record<string, Rounds>>): Baseline {
  return Object.fromEntries(
    Object.entries(measured).map(([name, { clock, cpu = [] }]) => {
      const work = hundredth(median(cpu));
      return [name, {
        clock: hundredth(median(clock)),
        ...(Number.isNaN(work) ? {} : { cpu: work }),
      }];
    }),
  );
}

function hundredth(value: number): number {
  return Math.round(value * 100) / 100;
}
