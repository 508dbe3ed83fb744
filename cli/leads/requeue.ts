/** @module Makes deliveries due now: what `send` and `retry` share. */

import type { Deliveries, Delivery, LeadRecord } from "../../leads/lead.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import type { Context, Leads } from "./context.ts";
import { count, oneLine } from "./text.ts";

/** What is to become of leads. */
interface Requeue {
  /**
   * The targets for which a lead is to be due now; undefined: the lead is left alone. Called again if
   * the service has changed the lead meanwhile.
   */
  readonly wanted: (deliveries: Deliveries) => readonly string[] | undefined;
  /** The target whose delivery is removed. */
  readonly from?: string | undefined;
  /** The schedules go on instead of starting anew. */
  readonly keepsAttempts?: boolean;
  readonly dryRun?: boolean | undefined;
  readonly context: Pick<Context, "now" | "out" | "err">;
}

/** Leads changed at once. */
const TOGETHER = 10;

const PROGRESS_MS = 1_000;

/**
 * Changes the deliveries of leads, each by one compare-and-set. Prints the progress each second, and
 * what happened, or with a dry run would happen, by target.
 *
 * @returns how many leads changed or were left alone because an attempt may be in progress
 */
export async function requeue(
  { store, skip }: Leads,
  records: AsyncIterable<LeadRecord> | Iterable<LeadRecord>,
  { wanted, from, keepsAttempts, dryRun = false, context: { now, out, err } }: Requeue,
): Promise<number> {
  const due = new Map<string, number>();
  let [read, changed, again, busy, toldAt] = [0, 0, 0, 0, now()];

  function planFor(before: Deliveries) {
    const at = now();
    // An instance may be attempting it, and another one would deliver it again.
    const isLeased = (name: string) =>
      before[name]?.state === "waiting" && before[name].due > at &&
      before[name].due <= at + LEASE_MS;
    const names = wanted(before);
    if (names === undefined) return { before, names: [], busy: 0 };
    if (from !== undefined && isLeased(from)) return { before, names: [], busy: 1 };
    const free = names.filter((name) => !isLeased(name));
    const { [from ?? ""]: _, ...kept } = before; // no target has the empty name
    const next: Record<string, Delivery> = kept;
    for (const name of free) {
      const attempts = keepsAttempts ? before[name] : undefined;
      next[name] = { tries: [], ...attempts, state: "waiting", due: at };
    }
    const isChanged = free.length > 0 || from !== undefined;
    const busy = names.length - free.length;
    return { before, names: free, busy, ...(isChanged ? { next } : {}) };
  }

  async function change({ id, deliveries }: LeadRecord): Promise<void> {
    let plan = planFor(deliveries);
    if (!dryRun && plan.next !== undefined) {
      const record = await skip(store.change(id, (current) => (plan = planFor(current)).next));
      if (record === null && plan.next !== undefined) return; // it is gone, or unusable
    }
    busy += plan.busy;
    if (plan.next !== undefined) changed++;
    for (const target of plan.names) {
      due.set(target, (due.get(target) ?? 0) + 1);
      if (plan.before[target]?.state === "delivered") again++;
    }
  }

  const batch: Promise<void>[] = [];
  for await (const record of records) {
    read++;
    batch.push(change(record));
    if (batch.length < TOGETHER) continue;
    await Promise.all(batch.splice(0));
    if (now() - toldAt < PROGRESS_MS) continue;
    toldAt = now();
    err(`${count(read, "lead")} read, ${changed.toLocaleString("en")} changed …\n`);
  }
  await Promise.all(batch);
  const total = count([...due.values()].reduce((sum, n) => sum + n, 0), "delivery");
  if (changed > 0) {
    const [done, then] = ["Due now: ", ". The running service starts within a minute."];
    out(dryRun ? `Dry run: ${total} would be due now.\n` : `${done}${total}${then}\n`);
  }
  for (const [target, n] of due) {
    out(`  ${oneLine(target)}  ${n.toLocaleString("en")}\n`);
  }
  if (again > 0) out(`Acknowledged before, and sent again: ${count(again, "delivery")}.\n`);
  if (busy > 0) out(`Left alone, as an attempt may be in progress: ${count(busy, "delivery")}.\n`);
  return changed + busy;
}
