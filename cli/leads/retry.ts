/** @module `retry`: deliveries that are dead, or that wait for long, become due now. */

import type { Command } from "commander";
import type { Deliveries, Delivery, LeadRecord } from "../../leads/lead.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import type { LeadStore } from "../../leads/store.ts";
import type { Context } from "./context.ts";
import { findLead } from "./records.ts";
import { count } from "./text.ts";

const DESCRIPTION = `Makes deliveries due now; the running service takes them up within a minute. \
With an id, dead and waiting ones of that lead; with --dead, the dead ones of all leads.

A delivery that has used up its schedule gets one attempt; one that was refused early goes on with \
its schedule. A target that the service no longer has is not tried.`;

interface RetryOptions {
  readonly dead?: true;
  readonly target?: string;
}

/** Adds `retry`. */
export function addRetry(program: Command, context: Context): void {
  program.command("retry")
    .summary("try dead deliveries again, of one lead or of all")
    .description(DESCRIPTION)
    .argument("[id]", "a lead's id, or as much of its beginning or end as no other lead has")
    .option("--dead", "the dead deliveries of all leads")
    .option("--target <target>", "to this target alone; stats names them")
    .action(async (id: string | undefined, { dead, target }: RetryOptions, command: Command) => {
      if ((id === undefined) === (dead === undefined)) {
        command.error("error: give either an id or --dead");
      }
      const { store } = await context.open();
      const records = id === undefined ? store.all() : [await findLead(store, id)];
      const states = id === undefined ? ["dead"] : ["dead", "waiting"];
      const targets = new Set<string>();
      let due = 0;
      for await (const record of records) {
        for (const known of Object.keys(record.deliveries)) targets.add(known);
        due += await makeDue(store, { record, states, target, now: context.now() });
      }
      if (target !== undefined && !targets.has(target)) {
        const known = [...targets].join(", ") || "nowhere";
        throw new Error(`Cannot retry: no delivery goes to ${target}; they go to ${known}`);
      }
      context.out(
        due > 0
          ? `Due now: ${count(due, "delivery")}. The service starts within a minute.\n`
          : `No delivery is dead${id === undefined ? "" : " or waits for long"}.\n`,
      );
    });
}

/** Which deliveries become due, by state and, where it is given, target. */
interface Choice {
  readonly states: readonly string[];
  readonly target: string | undefined;
  readonly now: number;
}

/** Makes the chosen deliveries of a lead due now. @returns how many */
async function makeDue(
  store: LeadStore,
  { record, ...choice }: Choice & { readonly record: LeadRecord },
): Promise<number> {
  if (changesOf(record.deliveries, choice).length === 0) return 0;
  let changed = 0;
  await store.change(record.id, (deliveries) => {
    // The service may have changed them since they were read.
    const changes = changesOf(deliveries, choice);
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
  { states, target, now }: Choice,
): [string, Delivery][] {
  return Object.entries(deliveries)
    .filter(([id, { state }]) => states.includes(state) && (target ?? id) === id)
    .filter(([, { state, due }]) => state === "dead" || due > now + LEASE_MS)
    .map(([id, delivery]) => [id, { ...delivery, state: "waiting", due: now }]);
}
