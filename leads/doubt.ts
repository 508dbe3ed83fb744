/**
 * @module Leads whose commit may have happened while nobody saw it.
 *
 * The sender waits a while for the truth. Should it come out only after a 502, a record that turns up
 * is removed, unless a copy of the lead has been answered 200 on its account in the meantime. What
 * cannot be closed: the process dies while KV is out of reach, or is cut off from it for longer than
 * its lease while another instance is not. Then a lead that was answered 502 may be delivered after
 * all; sent again, it is the same lead.
 */

import { allTrueWithin, type Clock } from "./clock.ts";
import type { LeadRecord } from "./lead.ts";
import type { Log } from "./log.ts";
import type { Outbox } from "./outbox.ts";
import type { CommitUnknown, IntakeStore } from "./store.ts";

/** How long a sender is kept waiting for the truth. */
const PATIENCE_MS = 10_000;
const ASK_EVERY_MS = 1_000;

/** How often, and for how long in all (an hour), KV is asked behind a sender's back. */
const RECONCILE_EVERY_MS = 5_000;
const MOST_RECONCILE_TRIES = 720;

/** What settling doubts works with. */
export interface DoubtDeps {
  readonly store: Pick<IntakeStore, "get" | "removeUnlessConfirmed">;
  readonly outbox: Pick<Outbox, "markDelivered">;
  readonly clock: Clock;
  readonly log: Log;
}

/** A lead in doubt. */
export interface LeadInDoubt {
  readonly record: LeadRecord;
  readonly doubt: CommitUnknown;
}

/** Waits until it is known whether a lead is held, but not for ever. */
export async function settleDoubt(
  { record, doubt }: LeadInDoubt,
  { store, clock }: DoubtDeps,
): Promise<"held" | "absent" | "unknown"> {
  const deadline = clock.now() + PATIENCE_MS;
  const over = doubt.settled.then(() => true);
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
 * Makes the store agree with what the sender was told: that the targets have the lead, or that it is
 * held nowhere. Asks until KV answers.
 */
export async function reconcile(
  { record, doubt }: LeadInDoubt,
  { delivered, deps: { store, outbox, clock, log } }: {
    readonly delivered: boolean;
    readonly deps: DoubtDeps;
  },
): Promise<void> {
  const over = doubt.settled.then(() => true);
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
