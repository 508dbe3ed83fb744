/**
 * @module Leads that come in while others are being committed go together, in one atomic operation.
 *
 * A lead is committed at once while few commits are under way, so that nobody waits for company. What
 * becomes of a lead stays its own: where a check of the group fails, each of its leads is committed
 * alone, and where nobody can tell whether the group is held, each of them is told so. While KV does
 * not answer, whoever has waited for its turn as long as for an answer is told that it is not held.
 */

import { type Clock, systemClock } from "../clock.ts";
import { type KvGuard, KvTimeout, PATIENCE_MS } from "./guard.ts";

/** What one lead adds to a commit. */
export interface Part {
  /** Names of what it checks: checks see only what was there before the commit. */
  readonly claims: readonly string[];
  /** How many entries it writes. */
  readonly writes: number;
  addTo(commit: Deno.AtomicOperation): void;
}

/** How leads go together. */
export interface Grouping {
  /** So many commits are under way before what comes in is gathered. */
  readonly flights: number;
  /** Most leads of a commit. */
  readonly most: number;
}

/**
 * SQLite commits one after another, whoever asks: while one is made, the next is gathered. It takes a
 * hundred checks, and a lead has two.
 */
const FILE: Grouping = { flights: 2, most: 40 };

/**
 * Over the network commits are under way side by side, and what is held back waits for a round trip:
 * only a crowd is gathered. denokv takes ten checks.
 */
const NETWORK: Grouping = { flights: 64, most: 5 };

/** Deno's limits are 80 KiB of keys (here at most 400 bytes each), 1,000 writes and 800 KiB in all. */
export const MOST_WRITES = 160;

/**
 * The grouping that pays where KV is.
 *
 * @param kvPath a file or `:memory:`; a KV Connect URL; undefined for the platform's database
 */
export function groupingAt(kvPath: string | undefined): Grouping {
  return kvPath === undefined || /^https?:/.test(kvPath) ? NETWORK : FILE;
}

interface Waiting {
  readonly part: Part;
  readonly since: number;
  resolve(versionstamp: string | null): void;
  reject(error: unknown): void;
}

/** The commits of one store. */
export class GroupCommit {
  readonly #kv: Pick<KvGuard, "commit">;
  readonly #grouping: Grouping;
  readonly #clock: Pick<Clock, "now">;
  /** In the order in which they came. */
  #waiting: Waiting[] = [];
  #underWay = 0;

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
   * Commits one lead's part, alone or with others.
   *
   * @returns the versionstamp; null where a check of this part failed
   * @throws {KvTimeout} where its turn did not come in time; and what {@link KvGuard.commit} throws
   */
  commit(part: Part): Promise<string | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ part, since: this.#clock.now(), resolve, reject });
      this.#go();
    });
  }

  #go(): void {
    this.#refuseLate();
    while (this.#underWay < this.#grouping.flights && this.#waiting.length > 0) {
      this.#underWay++;
      void this.#send(this.#next()).finally(() => {
        this.#underWay--;
        this.#go();
      });
    }
  }

  /** Every commit has its deadline, so that nobody waits here for much longer than that. */
  #refuseLate(): void {
    const earliest = this.#clock.now() - PATIENCE_MS;
    while (this.#waiting[0] !== undefined && this.#waiting[0].since < earliest) {
      this.#waiting.shift()!.reject(new KvTimeout(PATIENCE_MS));
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
