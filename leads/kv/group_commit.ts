/**
 * @module Leads that arrive while others are being committed share the next atomic operation.
 *
 * While few commits are in flight, a lead is committed at once: there is no timer. Each lead keeps its
 * own outcome: if a check of the group fails, each lead is committed alone, and if the commit of the
 * group is ambiguous, each caller is told so. While KV does not answer, a lead that has
 * waited for its turn as long as for an answer is refused: it was never sent.
 */

import { type Clock, systemClock } from "../clock.ts";
import { KV_DEADLINE_MS } from "../store.ts";
import { type KvGuard, KvTimeout } from "./guard.ts";

/** What one lead adds to a commit. */
export interface Part {
  /** Names of what it checks: checks see only what was there before the commit. */
  readonly claims: readonly string[];
  /** How many entries it writes. */
  readonly writes: number;
  addTo(commit: Deno.AtomicOperation): void;
}

/** How many leads share a commit, and when. */
export interface Grouping {
  /** Commits in flight before new leads are gathered. */
  readonly flights: number;
  /** Most leads of a commit. */
  readonly most: number;
}

/**
 * SQLite commits one after another: while one is made, the next is gathered. Deno KV takes a hundred
 * checks, and a lead has two.
 */
const FILE: Grouping = { flights: 2, most: 40 };

/**
 * Over the network commits run side by side, and a gathered lead waits for a round trip: gathering pays
 * only under load. denokv takes ten checks.
 */
const NETWORK: Grouping = { flights: 64, most: 5 };

/** Deno's limits are 80 KiB of keys (here at most 400 bytes each), 1,000 writes and 800 KiB in all. */
export const MOST_WRITES = 160;

/** The grouping that pays at a KV_PATH; undefined is the platform's database. */
export function groupingAt(kvPath: string | undefined): Grouping {
  return kvPath === undefined || /^https?:/.test(kvPath) ? NETWORK : FILE;
}

interface Waiting extends PromiseWithResolvers<string | null> {
  readonly part: Part;
  readonly since: number;
}

/** The commits of one store. */
export class GroupCommit {
  readonly #kv: Pick<KvGuard, "commit">;
  readonly #grouping: Grouping;
  readonly #clock: Pick<Clock, "now">;
  /** In order of arrival. */
  #waiting: Waiting[] = [];
  #inFlight = 0;

  /** @param options.grouping by default what any database bears */
  constructor(
    kv: Pick<KvGuard, "commit">,
    { grouping = NETWORK, clock = systemClock }: {
      readonly grouping?: Grouping | undefined;
      readonly clock?: Pick<Clock, "now">;
    } = {},
  ) {
    this.#kv = kv;
    this.#grouping = grouping;
    this.#clock = clock;
  }

  /**
   * @returns the versionstamp; null where a check of this part failed
   * @throws {KvTimeout} where its turn did not come in time; and what {@link KvGuard.commit} throws
   */
  commit(part: Part): Promise<string | null> {
    const waiting = { part, since: this.#clock.now(), ...Promise.withResolvers<string | null>() };
    this.#waiting.push(waiting);
    this.#go();
    return waiting.promise;
  }

  #go(): void {
    this.#refuseLate();
    while (this.#inFlight < this.#grouping.flights && this.#waiting.length > 0) {
      this.#inFlight++;
      void this.#send(this.#next()).finally(() => {
        this.#inFlight--;
        this.#go();
      });
    }
  }

  /** Every commit has a deadline, so that no lead waits here for much longer than that. */
  #refuseLate(): void {
    const earliest = this.#clock.now() - KV_DEADLINE_MS;
    while (this.#waiting[0] !== undefined && this.#waiting[0].since < earliest) {
      this.#waiting.shift()!.reject(new KvTimeout());
    }
  }

  /** Takes as many as fit together: the first that waits, and no two that claim the same. */
  #next(): readonly Waiting[] {
    const claimed = new Set<string>();
    const group: Waiting[] = [];
    const left: Waiting[] = [];
    let writes = 0;
    for (const waiting of this.#waiting) {
      const { part } = waiting;
      const fits = group.length < this.#grouping.most && writes + part.writes <= MOST_WRITES &&
        !part.claims.some((claim) => claimed.has(claim));
      if (!fits && group.length > 0) {
        left.push(waiting);
        continue;
      }
      for (const claim of part.claims) claimed.add(claim);
      writes += part.writes;
      group.push(waiting);
    }
    this.#waiting = left;
    return group;
  }

  /** Never rejects. */
  async #send(group: readonly Waiting[]): Promise<void> {
    try {
      const result = await this.#kv.commit((kv) => {
        const commit = kv.atomic();
        for (const { part } of group) part.addTo(commit);
        return commit;
      });
      if (!result.ok && group.length > 1) {
        await Promise.all(group.map((one) => this.#send([one])));
        return;
      }
      for (const { resolve } of group) resolve(result.ok ? result.versionstamp : null);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
