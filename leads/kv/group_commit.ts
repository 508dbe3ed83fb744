/**
 * @module Group commit: leads that arrive while commits are in flight share the next atomic operation.
 *
 * If a check of a group fails or it is too large, each lead is committed alone; an ambiguous commit is
 * ambiguous for each. While KV does not answer, a lead is rejected after the deadline: it was never sent.
 */

import { type Clock, systemClock } from "../../lib/clock.ts";
import { isNetworked } from "../../lib/kv_path.ts";
import { KV_DEADLINE_MS } from "../ports.ts";
import { KvFailure } from "./error_reasons.ts";
import { type KvGuard, NO_ANSWER, TooLarge } from "./guard.ts";

/** One lead's part of a commit. */
export interface CommitPart {
  /** Names of the keys that it checks: parts with the same claim cannot share a commit. */
  readonly claims: readonly string[];
  addTo(commit: Deno.AtomicOperation): void;
}

/**
 * Commits a part.
 *
 * @returns the versionstamp; null if a check of this part failed
 * @throws {KvFailure} if its turn did not come in time; and as {@link KvGuard.commit}
 */
export type GroupCommit = (part: CommitPart) => Promise<string | null>;

/** How many commits may be in flight before leads are grouped, and how many leads share a commit. */
export interface Grouping {
  readonly flights: number;
  readonly most: number;
}

/** Deno KV allows 100 checks, denokv ten, and a lead has two. */
const FILE: Grouping = { flights: 2, most: 40 };
const NETWORK: Grouping = { flights: 64, most: 5 };

export function groupingAt(kvPath: string | undefined): Grouping {
  return isNetworked(kvPath) ? NETWORK : FILE;
}

interface Waiting extends PromiseWithResolvers<string | null> {
  readonly part: CommitPart;
  readonly since: number;
}

/** @param options.grouping by default one that every database allows */
export function createGroupCommit(
  kv: Pick<KvGuard, "commit">,
  { grouping = NETWORK, clock = systemClock }: {
    readonly grouping?: Grouping | undefined;
    readonly clock?: Pick<Clock, "now">;
  } = {},
): GroupCommit {
  let waiting: Waiting[] = [];
  let inFlight = 0;

  function sendNext(): void {
    // Every commit has a deadline, so that no lead waits much longer than that.
    const earliest = clock.now() - KV_DEADLINE_MS;
    while (waiting[0] !== undefined && waiting[0].since < earliest) {
      waiting.shift()!.reject(new KvFailure(NO_ANSWER));
    }
    while (inFlight < grouping.flights && waiting.length > 0) {
      inFlight++;
      void send(nextGroup()).finally(() => {
        inFlight--;
        sendNext();
      });
    }
  }

  /** Takes as many leads as fit, at least the first, and no two with the same claim. */
  function nextGroup(): readonly Waiting[] {
    const claimed = new Set<string>();
    let size = 0;
    const { group = [], left = [] } = Object.groupBy(waiting, ({ part: { claims } }) => {
      if (size === grouping.most || claims.some((claim) => claimed.has(claim))) return "left";
      for (const claim of claims) claimed.add(claim);
      size++;
      return "group";
    });
    waiting = left;
    return group;
  }

  /** Never rejects. */
  async function send(group: readonly Waiting[]): Promise<void> {
    try {
      const result = await kv.commit((kv) => {
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
    await Promise.all(group.map((one) => send([one])));
  }

  return (part) => {
    const one = { part, since: clock.now(), ...Promise.withResolvers<string | null>() };
    waiting.push(one);
    sendNext();
    return one.promise;
  };
}
