/** @module `retry`: makes dead or long-waiting deliveries due now. */

import type { Command } from "commander";
import type { Deliveries } from "../../leads/lead.ts";
import { ExplainedError } from "../../leads/log.ts";
import type { Context } from "./context.ts";
import { findLeads, ID } from "./records.ts";
import { requeue } from "./requeue.ts";
import { count } from "./text.ts";

const DESCRIPTION = `Makes deliveries due now; the running service sends them within a minute. \
With an id, the dead and waiting ones of that lead; with --dead, the dead ones of all leads.

A delivery with an exhausted schedule gets one attempt; one that was rejected early continues its \
schedule. A target that is no longer configured gets no attempt: send --from gives its leads to another \
one, and send --stored the leads that had no target.`;

interface RetryOptions {
  readonly dead?: true;
  readonly target?: string;
}

export function addRetry(program: Command, context: Context): void {
  const { open, out } = context;
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
      const leads = await open();
      const records = id === undefined ? leads.store.all() : await findLeads(leads, [id]);
      const targets = new Set<string>();
      let stored = 0;
      function wanted(deliveries: Deliveries): string[] {
        const all = Object.entries(deliveries);
        if (all.length === 0) stored++;
        for (const [name] of all) targets.add(name);
        return all.filter(([name, { state }]) =>
          (target ?? name) === name &&
          (state === "dead" || (id !== undefined && state === "waiting"))
        ).map(([name]) => name);
      }
      if (await requeue(leads, records, { wanted, keepsAttempts: true, context }) > 0) return;
      if (id !== undefined && targets.size + stored === 0) return; // that lead is unusable
      const known = [...targets].join(", ") || "none";
      const none = target !== undefined && !targets.has(target)
        ? `Cannot retry: no delivery has the target ${target}; targets: ${known}`
        : `No delivery is dead${id === undefined ? "" : " or waits"}.`;
      const send = `deno task leads send ${id ?? "--stored"}`;
      const help = stored === 0 ? "" : `\nFor ${count(stored, "lead")} without a target: ${send}`;
      if (target !== undefined) throw new ExplainedError(none + help);
      out(`${none}${help}\n`);
    });
}
