/** @module `send` and `retry`: give leads to targets that did not have them, or once more. */

import { type Command, InvalidArgumentError } from "commander";
import {
  type Deliveries,
  type Delivery,
  dueAgain,
  type LeadRecord,
  newRound,
} from "../../leads/lead.ts";
import { LEASE_MS } from "../../leads/leases.ts";
import type { LeadStore } from "../../leads/ports.ts";
import { ExplainedError } from "../../lib/log.ts";
import type { Context } from "./context.ts";
import { findLeads, ID } from "./find.ts";
import { count, oneLine } from "./text.ts";

const SEND = `Makes leads due now at a target of LEAD_TARGETS, without --to at all of them, with a \
new schedule; the running service sends them within a minute.

By id, a target gets a lead again even if it has acknowledged it, with the same webhook-id. With \
--stored and --from no target gets a lead twice. --from moves what waits for a target or is dead \
there, even if LEAD_TARGETS no longer has it. What may be in progress is left alone.`;

const RETRY =
  `Makes deliveries due now: the dead and waiting ones of a lead, or with --dead the dead \
ones of all leads. Their schedules go on; an exhausted one gets one more attempt.

A target that LEAD_TARGETS no longer has gets no attempt: send --from moves its leads.`;

/** Leads changed at once. */
const TOGETHER = 10;

type SendOptions = Partial<Record<"from" | "to", string> & Record<"stored" | "dryRun", true>>;

export function addSend(program: Command, context: Context): void {
  const { open, out, err } = context;
  program.command("send")
    .summary("give leads to a target: stored ones, those of another target, or by id")
    .description(SEND)
    .argument("[ids...]", ID)
    .option("--stored", "all leads that had no target when they arrived")
    .option("--from <target>", "the waiting and dead ones of this target; see stats", targetName)
    .option("--to <target>", "the name of the target; by default all of LEAD_TARGETS", targetName)
    .option("--dry-run", "only say what would happen")
    .action(async (ids: string[], options: SendOptions, command: Command) => {
      const { stored, from, to, dryRun } = options;
      if ([ids.length > 0, stored, from !== undefined].filter(Boolean).length !== 1) {
        command.error("error: give either ids, --stored or --from");
      }
      const { store, targets } = await open();
      const known = targets?.map(({ id }) => id);
      const names = to === undefined ? known : [to];
      const unset = "LEAD_TARGETS is not set here";
      if (names === undefined) return command.error(`error: ${unset}: name the target with --to`);
      if (known === undefined) err(`${unset}: cannot check that ${to} is one of them.\n`);
      else if (!names.every((name) => known.includes(name))) {
        throw new ExplainedError(`Cannot send to ${to}: LEAD_TARGETS has ${known.join(", ")}`);
      }
      if (from !== undefined && names.includes(from)) {
        const help = "name another target with --to, or use retry";
        throw new ExplainedError(`Cannot send from ${from} to itself: ${help}`);
      }
      function wanted(deliveries: Deliveries): readonly string[] {
        if (stored) return Object.keys(deliveries).length === 0 ? names! : [];
        if (from === undefined) return names!;
        return names!.filter((name) => (deliveries[name] ?? { state: "dead" }).state === "dead");
      }
      const records = ids.length > 0 ? await findLeads(store, ids, context) : store.all();
      const done = await requeue(store, records, {
        ...context,
        wanted,
        again: newRound,
        from,
        dryRun,
      });
      if (done > 0 || ids.length > 0) return;
      const what = stored ? "no lead is without a target" : `nothing waits for ${from} or is dead`;
      out(`Nothing to send: ${what}.\n`);
    });
  program.command("retry")
    .summary("retry dead deliveries, of one lead or of all")
    .description(RETRY)
    .argument("[id]", ID)
    .option("--dead", "the dead deliveries of all leads")
    .option("--target <target>", "to this target only; stats lists the targets")
    .action(async (
      id: string | undefined,
      { dead, target }: { readonly dead?: true; readonly target?: string },
      command: Command,
    ) => {
      if ((id === undefined) === (dead === undefined)) {
        command.error("error: give either an id or --dead");
      }
      const { store } = await open();
      const records = id === undefined ? store.all() : await findLeads(store, [id], context);
      if (Array.isArray(records) && records.length === 0) return; // it is unusable
      const wanted = (deliveries: Deliveries) =>
        Object.entries(deliveries).filter(([name, { state }]) =>
          (target ?? name) === name && (state === "dead" || (!dead && state === "waiting"))
        ).map(([name]) => name);
      const again: Requeue["again"] = (due, before) => dueAgain(before!, due);
      if (await requeue(store, records, { ...context, wanted, again }) > 0) return;
      const to = target === undefined ? "" : ` to ${target}`;
      const message = `No delivery${to} is dead${dead ? "" : " or waits"}.`;
      if (target !== undefined) throw new ExplainedError(message);
      out(`${message}\n`);
    });
}

function targetName(text: string): string {
  if (/^[a-z\d[][\w.:[\]-]*$/i.test(text) && !(text in {})) return text;
  throw new InvalidArgumentError("It must be the name of a target, not its URL.");
}

interface Requeue {
  /** The targets for which a lead is to be due now; called again if the service has changed it. */
  readonly wanted: (deliveries: Deliveries) => readonly string[];
  /** With a new schedule, or with the one that it has. */
  readonly again: (due: number, before: Delivery | undefined) => Delivery;
  /** Instead of this target, whose delivery is removed: only leads that it has not acknowledged. */
  readonly from?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

/**
 * Changes the deliveries of leads, each by one compare-and-set, and prints what happened, or with a dry
 * run would happen, by target. Ends the pauses of the targets.
 *
 * @returns how many leads changed or were left alone because an attempt may be in progress
 */
async function requeue(
  store: Pick<LeadStore, "change" | "pause" | "setPause">,
  records: AsyncIterable<LeadRecord> | Iterable<LeadRecord>,
  { wanted, again, from, dryRun = false, skip, now, columns, out, err }: Requeue & Context,
): Promise<number> {
  const due = new Map<string, number>();
  let [read, changed, busy] = [0, 0, 0];

  /** What is due then, what is left alone, and the deliveries after a change; undefined: there is none. */
  function plan(before: Deliveries): { free: string[]; leased: number; after?: Deliveries } {
    const at = now();
    // An instance may be attempting it, and another one would deliver it again.
    const isLeased = (one: Delivery | undefined) =>
      one?.leased === true && one.due > at && one.due <= at + LEASE_MS;
    const { [from ?? ""]: moved, ...kept } = before; // no target has the empty name
    const isMoved = moved !== undefined && moved.state !== "delivered";
    if (from !== undefined && !isMoved) return { free: [], leased: 0 };
    if (isLeased(moved)) return { free: [], leased: 1 };
    const names = wanted(before);
    const free = names.filter((name) => !isLeased(before[name]));
    const leased = names.length - free.length;
    if (free.length === 0 && !isMoved) return { free, leased };
    const renewed = free.map((name) => [name, again(at, before[name])]);
    return { free, leased, after: { ...kept, ...Object.fromEntries(renewed) } };
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

  const batch: LeadRecord[] = [];
  for await (const record of records) {
    if (batch.push(record) === TOGETHER) await Promise.all(batch.splice(0).map(change));
    if (++read % 1_000 === 0 && columns() < Infinity) err(`${count(read, "lead")} read …\n`);
  }
  await Promise.all(batch.map(change));
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
