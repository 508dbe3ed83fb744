/**
 * @module Commits whose outcome is unknown: KV may hold the lead although no answer came.
 *
 * The client waits up to {@link PATIENCE_MS} while the outcome is looked up. A record that turns up only
 * after a 502 is removed, unless a copy of the lead has been answered 200 on its account meanwhile. One
 * gap remains: the process dies while KV is unreachable, or is cut off from KV for longer than its lease
 * while another instance is not. Then a lead that was answered 502 may still be delivered; sent again,
 * it is the same lead.
 */

import { allTrueWithin, type Clock } from "./clock.ts";
import type { LeadRecord } from "./lead.ts";
import type { Log } from "./log.ts";
import type { Outbox } from "./outbox.ts";
import type { CommitUnknown, IntakeStore } from "./store.ts";

/** How long the client waits for the outcome. */
const PATIENCE_MS = 10_000;
const ASK_EVERY_MS = 1_000;

/** How often, and for how long in all (an hour), KV is asked after the answer. */
const RECONCILE_EVERY_MS = 5_000;
const MOST_RECONCILE_TRIES = 720;

/** What resolving and reconciling work with. */
export interface AmbiguousCommitDeps {
  readonly store: Pick<IntakeStore, "get" | "removeUnlessConfirmed">;
  readonly outbox: Pick<Outbox, "markDelivered">;
  readonly clock: Clock;
  readonly log: Log;
}

/** A lead, and the commit of it whose outcome is unknown. */
export interface AmbiguousCommit {
  readonly record: LeadRecord;
  readonly commit: CommitUnknown;
}

/** Waits until it is known whether KV holds the lead, at most {@link PATIENCE_MS}. */
export async function resolveAmbiguousCommit(
  { record, commit }: AmbiguousCommit,
  { store, clock }: AmbiguousCommitDeps,
): Promise<"held" | "absent" | "unknown"> {
  const deadline = clock.now() + PATIENCE_MS;
  const over = commit.settled.then(() => true);
  for (;;) {
    const ms = Math.min(ASK_EVERY_MS, deadline - clock.now());
    const isOver = await allTrueWithin([over], { ms, clock });
    try {
      if (await store.get(record.id) !== null) return "held";
      if (isOver) return "absent";
    } catch { /* asked again */ }
    if (clock.now() >= deadline) return "unknown";
    if (isOver) await pause(ms, clock);
  }
}

/**
 * Makes the store agree with the answer that was given: the targets have the lead, or it is stored
 * nowhere. Asks until KV answers.
 */
export async function reconcile(
  { record, commit }: AmbiguousCommit,
  { delivered, deps: { store, outbox, clock, log } }: {
    readonly delivered: boolean;
    readonly deps: AmbiguousCommitDeps;
  },
): Promise<void> {
  const over = commit.settled.then(() => true);
  for (let tries = 0; tries < MOST_RECONCILE_TRIES; tries++) {
    // On a connection that has gone dead a commit never settles, and may have happened all the same.
    const isOver = await allTrueWithin([over], { ms: RECONCILE_EVERY_MS, clock });
    try {
      if (await store.get(record.id) !== null) {
        if (delivered) await outbox.markDelivered(record);
        else await store.removeUnlessConfirmed(record.id);
        return log.info("lead.reconciled", { lead: record.id, delivered });
      }
      if (isOver) return;
    } catch {
      if (isOver) await pause(RECONCILE_EVERY_MS, clock);
    }
  }
  log.error("lead.not_reconciled", { lead: record.id, delivered });
}

function pause(ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
