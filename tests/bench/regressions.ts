/**
 * @module The guard's decision: which ratios have fallen below the committed baseline. Pure.
 *
 * Every figure is a share of the floor's speed in the same run, so that more is better, for starting
 * as well. Two figures are kept of answers: by CPU time, which other programs hardly disturb, and by the
 * clock, which also sees a handler that waits. What the clock says is believed when three rounds in
 * four say it, because another program may well take the CPU from one side of one round. Memory has
 * one figure, the floor's share of the service's, and stands where those of the clock do.
 */

import { median, quantile } from "./stats.ts";

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
/** Three in four. */
const MOST_ROUNDS = 0.75;

/** All that has fallen, in the order in which it was measured. */
export function falls(measured: Readonly<Record<string, Rounds>>, baseline: Baseline): Fall[] {
  return Object.entries(measured).flatMap(([name, { clock, cpu }]) => {
    const held = baseline[name];
    if (held === undefined) throw new Error(`Cannot judge ${name}: the baseline does not have it`);
    const found: Fall[] = [];
    if (quantile(clock, MOST_ROUNDS) < FALLEN * held.clock) {
      found.push({ name, by: "clock", baseline: held.clock, now: median(clock) });
    }
    if (held.cpu !== undefined && cpu !== undefined && median(cpu) < FALLEN * held.cpu) {
      found.push({ name, by: "cpu", baseline: held.cpu, now: median(cpu) });
    }
    return found;
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
