/**
 * @module What the benchmark finds: rows, each a ratio to something measured in the same run. Ratios
 * only: nobody quotes an absolute time of a shared machine. Pure.
 */

import type { Spread } from "./stats.ts";

/** The parts of the benchmark. */
export type Group = "answers" | "start" | "latency" | "memory" | "growth";

/** What answers are compared with; those that commit, with a bare server that does. */
export const SAME_ANSWER = "a bare server, same answer";

/** An answer that never changes is given at least so many times as fast as by the usual stack. */
export const TIMES_USUAL = 3;

/** One figure. */
export interface Row {
  readonly group: Group;
  readonly name: string;
  readonly label: string;
  /** Whether more is better (requests a second) or less (time, memory). */
  readonly better: "higher" | "lower";
  /** What the ratio is to. */
  readonly to: string;
  readonly service: Spread;
  readonly usual?: Spread;
  /** The service's ratio by answers a second of CPU time: what other programs disturb less. */
  readonly work?: Spread;
  /** The ratio that has to be reached, or not passed (design, "Bars"). */
  readonly bar?: number;
  /** How many times the usual stack's ratio has to be reached besides. */
  readonly timesUsual?: number;
}

/** How a row stands to its bar. */
export type Verdict = "held" | "short" | "no bar";

/** The median counts; a bar that is met exactly is held. */
export function verdictOf({ better, bar, service, usual, timesUsual }: Row): Verdict {
  if (bar === undefined) return "no bar";
  const reached = better === "higher" ? service.median >= bar : service.median <= bar;
  const least = timesUsual === undefined || usual === undefined ? 0 : timesUsual * usual.median;
  return reached && service.median >= least ? "held" : "short";
}
