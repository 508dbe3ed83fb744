/** @module Makes deliveries due now: what `send` and `retry` share. */

import {
  type Deliveries,
  type Delivery,
  dueAgain,
  type LeadRecord,
  newRound,
} from "../../leads/lead.ts";
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
 * run would happen, by target. Ends the pauses of the targets.
 *
 * @returns how many leads changed or were left alone because an attempt may be in progress
 */
export async function requeue(
  store: Pick<LeadStore, "change" | "pause" | "setPause">,
  records: AsyncIterable<LeadRecord> | Iterable<LeadRecord>,
  { wanted, from, keepsAttempts, dryRun = false, skip, now, columns, out, err }: Requeue & Context,
): Promise<number> {
  const due = new Map<string, number>();
  let [read, changed, busy] = [0, 0, 0];

  /** What is due then, what is left alone, and the deliveries after a change; undefined: there is none. */
  function plan(before: Deliveries): { free: string[]; leased: number; after?: Deliveries } {
    const at = now();
    // An instance may be attempting it, and another one would deliver it again.
    const isLeased = (name: string) =>
      before[name]?.leased === true && before[name].due > at && before[name].due <= at + LEASE_MS;
    const { [from ?? ""]: moved, ...kept } = before; // no target has the empty name
    if (from !== undefined) {
      if (moved === undefined || moved.state === "delivered") return { free: [], leased: 0 };
      if (isLeased(from)) return { free: [], leased: 1 };
    }
    const names = wanted(before);
    const free = names.filter((name) => !isLeased(name));
    const leased = names.length - free.length;
    if (free.length === 0 && from === undefined) return { free, leased };
    const again = (name: string): Delivery =>
      keepsAttempts ? dueAgain(before[name]!, at) : newRound(at, before[name]);
    return {
      free,
      leased,
      after: { ...kept, ...Object.fromEntries(free.map((n) => [n, again(n)])) },
    };
  }

  async function change({ id, deliveries }: LeadRecord): Promise<void> {
    let planned = plan(deliveries);
    if (planned.after !== undefined && !dryRun) {
      const record = await skip(store.change(id, (now) => (planned = plan(now)).after));
      if (record === null && planned.after !== undefined) return; // it is gone, or unusable
    }
    busy += planned.leased;
    if (planned.after === undefined) return;
    changed++;
    for (const target of planned.free) due.set(target, (due.get(target) ?? 0) + 1);
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
  if (!dryRun) {
    for (const target of due.keys()) {
      // The operator knows better, and another attempt decides.
      const { versionstamp } = await store.pause(target);
      if (versionstamp !== null) await store.setPause(target, null, versionstamp);
    }
  }
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
