/**
 * @module Group commit: leads that arrive while commits are in flight share the next atomic operation.
 *
 * While few commits are in flight, a lead is committed at once; there is no timer. If a check of a group
 * fails or it is too large, each lead is committed alone; an ambiguous commit is ambiguous for each.
 * While KV does not answer, a lead is rejected after the deadline: it was never sent.
 */

import { type Clock, systemClock } from "../clock.ts";
import { KV_DEADLINE_MS } from "../store.ts";
import { type KvGuard, KvTimeout, TooLarge } from "./guard.ts";

/** One lead's part of a commit. */
export interface Part {
  /** Names of the keys that it checks: parts with the same claim cannot share a commit. */
  readonly claims: readonly string[];
  /** How many entries it writes. */
  readonly writes: number;
  addTo(commit: Deno.AtomicOperation): void;
}

/** How many commits may be in flight before leads are grouped, and how many leads share a commit. */
export interface Grouping {
  readonly flights: number;
  readonly most: number;
}

/** SQLite commits one at a time. Deno KV allows 100 checks, and a lead has two. */
const FILE: Grouping = { flights: 2, most: 40 };

/**
 * Over the network commits run in parallel, and a grouped lead waits for a round trip: grouping pays
 * only under load. denokv allows ten checks.
 */
const NETWORK: Grouping = { flights: 64, most: 5 };

/** Deno's limits are 80 KiB of keys (here at most 400 bytes each), 1,000 writes and 800 KiB in all. */
const MOST_WRITES = 160;

/** The best grouping for a KV_PATH; undefined: the platform's database. */
export function groupingAt(kvPath: string | undefined): Grouping {
  return kvPath === undefined || /^https?:/.test(kvPath) ? NETWORK : FILE;
}

interface Waiting extends PromiseWithResolvers<string | null> {
  readonly part: Part;
  readonly since: number;
}

/** Groups the commits of one store. */
export class GroupCommit {
  readonly #kv: Pick<KvGuard, "commit">;
  readonly #grouping: Grouping;
  readonly #clock: Pick<Clock, "now">;
  /** In order of arrival. */
  #waiting: Waiting[] = [];
  #inFlight = 0;

  /** @param options.grouping by default one that every database allows */
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
   * @returns the versionstamp; null if a check of this part failed
   * @throws {KvTimeout} if its turn did not come in time; and as {@link KvGuard.commit}
   */
  commit(part: Part): Promise<string | null> {
    const waiting = { part, since: this.#clock.now(), ...Promise.withResolvers<string | null>() };
    this.#waiting.push(waiting);
    this.#sendNext();
    return waiting.promise;
  }

  #sendNext(): void {
    this.#rejectLate();
    while (this.#inFlight < this.#grouping.flights && this.#waiting.length > 0) {
      this.#inFlight++;
      void this.#send(this.#nextGroup()).finally(() => {
        this.#inFlight--;
        this.#sendNext();
      });
    }
  }

  /** Every commit has a deadline, so that no lead waits much longer than that. */
  #rejectLate(): void {
    const earliest = this.#clock.now() - KV_DEADLINE_MS;
    while (this.#waiting[0] !== undefined && this.#waiting[0].since < earliest) {
      this.#waiting.shift()!.reject(new KvTimeout());
    }
  }

  /** Takes as many leads as fit, at least the first, and no two with the same claim. */
  #nextGroup(): readonly Waiting[] {
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
      if (result.ok || group.length === 1) {
        for (const { resolve } of group) resolve(result.ok ? result.versionstamp : null);
        return;
      }
    } catch (error) {
      if (!(error instanceof TooLarge) || group.length === 1) {
        for (const { reject } of group) reject(error);
        return;
      }
    }
    await Promise.all(group.map((one) => this.#send([one])));
  }
}
