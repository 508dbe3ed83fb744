/**
 * @module Counts refusals by reason and hour, dead letters by target and hour, and deliveries by target,
 * day and time to delivery. They are gathered in memory, and the maintenance stores them: a flood of
 * refusals costs one commit a minute. What a process that is killed has gathered since is lost.
 */

import { DAY_MS, dayOf, HOUR_MS, hourOf } from "../lib/clock.ts";
import { arrivalOf } from "./lead_id.ts";
import { type Log, type LogFields, observed } from "../lib/log.ts";
import { AmbiguousCommit, type LeadStore, type Tally } from "./ports.ts";

/** Each step of a time is longer by this factor, so that a percentile is at most two fifths too long. */
const FACTOR = Math.SQRT2;

/** The step of a time in milliseconds. */
export function stepOf(ms: number): number {
  return Math.max(0, Math.ceil(Math.log(Math.max(1, ms)) / Math.log(FACTOR)));
}

export function timeOf(step: number): number {
  return Math.round(FACTOR ** step);
}

/** The time in milliseconds within which a share of what was counted, 0 to 1, was delivered. */
export function percentile(tallies: readonly Tally[], share: number): number | undefined {
  const sorted = tallies.toSorted((a, b) => a.step - b.step);
  let left = share * sorted.reduce((sum, { times }) => sum + times, 0);
  for (const { step, times } of sorted) {
    left -= times;
    if (left <= 0) return timeOf(step);
  }
  return undefined;
}

export class Tallies {
  readonly #now: () => number;
  #counted = new Map<string, Tally>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts events of the log, as the metrics do. */
  counting(log: Log): Log {
    return observed(log, (event, fields) => this.#note(event, fields));
  }

  /** Stores what was counted; without anything there is no call to the store. */
  async store(store: Pick<LeadStore, "addTallies">): Promise<void> {
    const counted = this.#counted;
    if (counted.size === 0) return;
    this.#counted = new Map();
    try {
      await store.addTallies([...counted.values()]);
    } catch (error) {
      if (!(error instanceof AmbiguousCommit)) {
        for (const [key, one] of counted) this.#add(key, one);
      }
      throw error;
    }
  }

  #note(event: string, { reason, target, lead, delivered }: LogFields): void {
    if (event === "lead.refused") this.#count("refused", String(reason));
    if (event === "lead.not_stored" && !delivered) this.#count("refused", "lead_not_stored");
    if (event === "delivery.dead_letter") this.#count("dead", String(target));
    if (event !== "delivery.first_acknowledged") return;
    const step = stepOf(this.#now() - arrivalOf(String(lead)));
    this.#count("delivered", String(target), step);
  }

  #count(what: Tally["what"], name: string, step = 0): void {
    const now = this.#now();
    const [ms, periodOf] = what === "delivered" ? [DAY_MS, dayOf] : [HOUR_MS, hourOf];
    const key = `${Math.floor(now / ms)} ${what} ${step} ${name}`;
    // A flood does not format a date for each refusal.
    const period = this.#counted.get(key)?.period ?? periodOf(now);
    this.#add(key, { period, what, name, step, times: 1 });
  }

  #add(key: string, tally: Tally): void {
    const times = (this.#counted.get(key)?.times ?? 0) + tally.times;
    this.#counted.set(key, { ...tally, times });
  }
}
