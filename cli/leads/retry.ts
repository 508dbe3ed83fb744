/** @module `retry`: deliveries that were given up, or that wait for long, become due now. */

import type { Deliveries, Delivery, LeadRecord } from "../../leads/lead.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import type { LeadStore } from "../../leads/store.ts";
import { type Args, type Command, type Context, PROGRAM, UsageError } from "./command.ts";
import { didYouMean } from "./nearest.ts";
import { progressOn } from "./progress.ts";
import { findLead, shortId } from "./records.ts";
import { count } from "./text.ts";

/** `retry`, for the program. */
export const retry: Command = {
  name: "retry",
  summary: "try dead deliveries again, of one lead or of all",
  usage: "retry ID | --dead [--target TARGET]",
  help: [
    "With ID (or as much of its beginning or end as no other lead has) what waits becomes due now " +
    "too. With --dead, all dead deliveries do.",
    "The running service takes them up within a minute. A delivery that has used up its schedule " +
    "gets one try; one that was refused early goes on with its schedule. A target that the service " +
    "no longer has is not tried.",
  ],
  examples: [
    "retry 5c0ffee1",
    "retry --dead",
    "retry --dead --target webhook:crm.example:1a2b3c4d",
  ],
  options: {
    dead: { type: "boolean", summary: "the dead deliveries of all leads" },
    target: { type: "string", value: "TARGET", summary: "to this target alone; stats names them" },
  },
  operand: "optional",
  run: runRetry,
};

/** Which deliveries become due. */
interface Choice {
  readonly states: readonly Delivery["state"][];
  readonly target: string | undefined;
}

async function runRetry(context: Context, { flags, values, operand }: Args): Promise<void> {
  const all = flags.has("dead");
  if (all === (operand !== undefined)) {
    throw new UsageError(`Cannot retry: either ID or --dead; usage: ${PROGRAM} ${retry.usage}`);
  }
  const { target } = values;
  if (operand === undefined) return await retryDead(context, target);

  const record = await findLead(context.store, operand);
  checkTarget(target, Object.keys(record.deliveries));
  const choice = { states: ["dead", "waiting"] as const, target };
  const due = await makeDue(context, { record, choice });
  if (due > 0) return context.out(`${announcement(due)}\n`);
  context.out(`Nothing to retry: ${whyNot(record, target)}\n`);
}

async function retryDead(context: Context, target: string | undefined): Promise<void> {
  const progress = progressOn(context);
  const targets = new Set<string>();
  let due = 0;
  let leads = 0;
  for await (const record of context.store.all()) {
    for (const id of Object.keys(record.deliveries)) targets.add(id);
    const changed = await makeDue(context, { record, choice: { states: ["dead"], target } });
    due += changed;
    if (changed > 0) leads++;
    progress(`${count(due, "delivery")} made due`);
  }
  checkTarget(target, [...targets]);
  const which = target === undefined ? "" : ` to ${target}`;
  context.out(due === 0 ? `No delivery${which} is dead.\n` : `${announcement(due, leads)}\n`);
}

function announcement(due: number, leads = 1): string {
  const whose = leads === 1 ? "" : ` of ${count(leads, "lead")}`;
  const [are, them] = due === 1 ? ["is", "it"] : ["are", "them"];
  return `${
    count(due, "delivery")
  }${whose} ${are} due now; the service takes ${them} up within a minute.`;
}

function checkTarget(target: string | undefined, known: readonly string[]): void {
  if (target === undefined || known.includes(target)) return;
  const there = known.length === 0 ? "no lead has any" : `there are ${known.join(", ")}`;
  throw new Error(
    `Cannot retry: no delivery goes to ${target}${didYouMean(target, known) || `; ${there}`}`,
  );
}

/** Makes the chosen deliveries of a lead due now. @returns how many */
async function makeDue(
  { store, now }: { readonly store: Pick<LeadStore, "change">; readonly now: () => number },
  { record, choice }: { readonly record: LeadRecord; readonly choice: Choice },
): Promise<number> {
  if (changesOf(record.deliveries, choice, { now: now() }).length === 0) return 0;
  let changed = 0;
  await store.change(record.id, (deliveries) => {
    // What counts is how they stand now: an instance may have been at work since.
    const changes = changesOf(deliveries, choice, { now: now() });
    changed = changes.length;
    return changed === 0 ? undefined : { ...deliveries, ...Object.fromEntries(changes) };
  });
  return changed;
}

/**
 * A job that is due within the length of a lease is left alone: an instance may be at it, and would
 * deliver it twice if it became due for another one.
 */
function changesOf(
  deliveries: Deliveries,
  { states, target }: Choice,
  { now }: { readonly now: number },
): [string, Delivery][] {
  return Object.entries(deliveries)
    .filter(([id]) => target === undefined || id === target)
    .filter(([, { state }]) => states.includes(state))
    .filter(([, { state, due }]) => state === "dead" || due > now + LEASE_MS)
    .map(([id, delivery]) => [id, { ...delivery, state: "waiting", due: now }]);
}

function whyNot(record: LeadRecord, target: string | undefined): string {
  const deliveries = Object.entries(record.deliveries)
    .filter(([id]) => target === undefined || id === target)
    .map(([, delivery]) => delivery);
  if (deliveries.length === 0) return `no target was set when ${shortId(record)} came.`;
  return deliveries.some(({ state }) => state === "waiting")
    ? `${shortId(record)} is under way or due within seconds.`
    : `${shortId(record)} has been delivered.`;
}
