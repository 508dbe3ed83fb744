/** @module Makes deliveries due now: what `send` and `retry` share. */

import { type Deliveries, type Delivery, type LeadRecord, newRound } from "../../leads/lead.ts";
import { LEASE_MS } from "../../leads/leases.ts";
import type { LeadStore } from "../../leads/ports.ts";
import type { Context } from "./context.ts";
import { count, oneLine } from "./text.ts";

interface Requeue {
  /** The targets for which a lead is to be due now; called again if the service has changed it. */
  readonly wanted: (deliveries: Deliveries) => readonly string[];
  /** Instead of this target, whose delivery is removed: only leads that it has not acknowledged. */
  readonly from?: string | undefined;
  /** The schedules go on instead of starting anew. */
  readonly keepsAttempts?: boolean;
  readonly dryRun?: boolean | undefined;
}

/** Leads changed at once. */
const TOGETHER = 10;

/**
 * Changes the deliveries of leads, each by one compare-and-set, and prints what happened, or with a dry
 * run would happen, by target.
 *
 * @returns how many leads changed or were left alone because an attempt may be in progress
 */
export async function requeue(
  store: Pick<LeadStore, "change">,
  records: AsyncIterable<LeadRecord> | Iterable<LeadRecord>,
  { wanted, from, keepsAttempts, dryRun = false, skip, now, columns, out, err }: Requeue & Context,
): Promise<number> {
  const due = new Map<string, number>();
  let [read, changed, busy] = [0, 0, 0];

  async function change({ id, deliveries }: LeadRecord): Promise<void> {
    let free: readonly string[] = [];
    let leased = 0;
    /** The deliveries afterwards; undefined: the lead is left alone. */
    function next(before: Deliveries): Deliveries | undefined {
      [free, leased] = [[], 0];
      const at = now();
      // An instance may be attempting it, and another one would deliver it again.
      const isLeased = (name: string) =>
        before[name]?.leased === true && before[name].due > at && before[name].due <= at + LEASE_MS;
      const { [from ?? ""]: moved, ...kept } = before; // no target has the empty name
      if (from !== undefined) {
        if (moved === undefined || moved.state === "delivered") return undefined;
        leased = isLeased(from) ? 1 : 0;
        if (leased > 0) return undefined;
      }
      const names = wanted(before);
      free = names.filter((name) => !isLeased(name));
      leased = names.length - free.length;
      if (free.length === 0 && from === undefined) return undefined;
      const again = (name: string): Delivery =>
        keepsAttempts
          ? { ...before[name]!, state: "waiting", due: at }
          : newRound(at, before[name]);
      return free.reduce<Deliveries>((all, name) => ({ ...all, [name]: again(name) }), kept);
    }
    let after = next(deliveries);
    if (after !== undefined && !dryRun) {
      const record = await skip(store.change(id, (current) => after = next(current)));
      if (record === null && after !== undefined) return; // it is gone, or unusable
    }
    busy += leased;
    if (after === undefined) return;
    changed++;
    for (const target of free) due.set(target, (due.get(target) ?? 0) + 1);
  }

  const batch: Promise<void>[] = [];
  for await (const record of records) {
    const work = change(record);
    work.catch(() => {}); // it is awaited below, perhaps after the next leads are read
    batch.push(work);
    if (batch.length === TOGETHER) await Promise.all(batch.splice(0));
    if (++read % 1_000 === 0 && columns() < Infinity) err(`${count(read, "lead")} read …\n`);
  }
  await Promise.all(batch);
  const total = count([...due.values()].reduce((sum, n) => sum + n, 0), "delivery");
  if (changed > 0 && dryRun) out(`Dry run: ${total} would be due now.\n`);
  else if (changed > 0) out(`Due now: ${total}. The running service starts within a minute.\n`);
  for (const [target, n] of due) out(`  ${oneLine(target)}  ${n.toLocaleString("en")}\n`);
  if (busy > 0) {
    const left = count(busy, "delivery");
    out(`${left} left alone, as an attempt may be in progress: run it again in 30 s.\n`);
  }
  return changed + busy;
}
