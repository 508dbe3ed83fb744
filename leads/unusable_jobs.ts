/** @module Gathers the leads that were put off because they cannot be used: one line of the log a reason. */

import type { Log } from "../lib/log.ts";

/** A line has at most so many of their ids. */
const LOGGED_IDS = 10;

export class UnusableJobs {
  readonly #byReason = new Map<string, string[]>();

  add(reason: string, id: string): void {
    this.#byReason.getOrInsert(reason, []).push(id);
  }

  /** Logs what was gathered since the last report. */
  report(log: Pick<Log, "error">, target: string): void {
    for (const [reason, all] of this.#byReason) {
      const ids = all.slice(0, LOGGED_IDS).join(" ");
      log.error("delivery.put_off", { target, leads: all.length, reason, ids });
    }
    this.#byReason.clear();
  }
}
