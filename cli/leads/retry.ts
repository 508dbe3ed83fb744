/** @module `retry`: makes dead or long-waiting deliveries due now. */

import type { Command } from "commander";
import type { Deliveries, Delivery } from "../../leads/lead.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import type { Context } from "./context.ts";
import { findLead, ID } from "./records.ts";
import { count } from "./text.ts";

const DESCRIPTION = `Makes deliveries due now; the running service sends them within a minute. \
With an id, the dead and waiting ones of that lead; with --dead, the dead ones of all leads.

A delivery with an exhausted schedule gets one attempt; one that was rejected early continues its \
schedule. A target that is no longer configured gets no attempt.`;

interface RetryOptions {
  readonly dead?: true;
  readonly target?: string;
}

export function addRetry(program: Command, { open, now, out }: Context): void {
  program.command("retry")
    .summary("retry dead deliveries, of one lead or of all")
    .description(DESCRIPTION)
    .argument("[id]", ID)
    .option("--dead", "the dead deliveries of all leads")
    .option("--target <target>", "to this target only; stats lists the targets")
    .action(async (id: string | undefined, { dead, target }: RetryOptions, command: Command) => {
      if ((id === undefined) === (dead === undefined)) {
        command.error("error: give either an id or --dead");
      }
      const { store } = await open();
      const records = id === undefined ? store.all() : [await findLead(store, id)];
      const states = id === undefined ? ["dead"] : ["dead", "waiting"];
      const targets = new Set<string>();
      let due = 0;
      for await (const record of records) {
        for (const known of Object.keys(record.deliveries)) targets.add(known);
        const choice = { states, target, now: now() };
        if (changesOf(record.deliveries, choice).length === 0) continue;
        let changed = 0;
        // The service may have changed them since they were read, and again before the commit.
        await store.change(record.id, (deliveries) => {
          const changes = changesOf(deliveries, choice);
          changed = changes.length;
          return changed === 0 ? undefined : { ...deliveries, ...Object.fromEntries(changes) };
        });
        due += changed;
      }
      if (target !== undefined && !targets.has(target)) {
        const known = [...targets].join(", ") || "none";
        throw new Error(`Cannot retry: no delivery has the target ${target}; targets: ${known}`);
      }
      out(
        due > 0
          ? `Due now: ${count(due, "delivery")}. The service starts within a minute.\n`
          : `No delivery is dead${id === undefined ? "" : " or waits for long"}.\n`,
      );
    });
}

/**
 * The chosen deliveries as due now. Not those due within a lease: an instance may be delivering them, and
 * another one would deliver them again.
 */
function changesOf(deliveries: Deliveries, { states, target, now }: {
  readonly states: readonly string[];
  readonly target: string | undefined;
  readonly now: number;
}): [string, Delivery][] {
  return Object.entries(deliveries)
    .filter(([id, { state }]) => states.includes(state) && (target ?? id) === id)
    .filter(([, { state, due }]) => state === "dead" || due > now + LEASE_MS)
    .map(([id, delivery]) => [id, { ...delivery, state: "waiting", due: now }]);
}
