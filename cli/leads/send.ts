/** @module `send` and `retry`: give leads to targets that did not have them, or once more. */

import { type Command, InvalidArgumentError } from "commander";
import type { Deliveries } from "../../leads/lead.ts";
import { ExplainedError } from "../../lib/log.ts";
import type { Context } from "./context.ts";
import { findLeads, ID } from "./find.ts";
import { requeue } from "./requeue.ts";
import { count } from "./text.ts";

const SEND = `Makes leads due now at a target of LEAD_TARGETS, without --to at all of them, with a \
new schedule; the running service sends them within a minute.

By id, a target gets a lead again even if it has acknowledged it, with the same webhook-id. With \
--stored and --from no target gets a lead twice. --from moves what waits for a target or is dead \
there, even if LEAD_TARGETS no longer has it. What may be in progress is left alone.`;

const RETRY =
  `Makes deliveries due now: the dead and waiting ones of a lead, or with --dead the dead \
ones of all leads. Their schedules go on; an exhausted one gets one more attempt.

A target that LEAD_TARGETS no longer has gets no attempt: send --from moves its leads.`;

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
      const done = await requeue(store, records, { ...context, wanted, from, dryRun });
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
      if (Array.isArray(records) && records.length === 0) return; // that lead is unusable
      let stored = 0;
      function wanted(deliveries: Deliveries): string[] {
        const all = Object.entries(deliveries);
        if (all.length === 0) stored++;
        return all.filter(([name, { state }]) =>
          (target ?? name) === name && (state === "dead" || (!dead && state === "waiting"))
        ).map(([name]) => name);
      }
      if (await requeue(store, records, { ...context, wanted, keepsAttempts: true }) > 0) return;
      const none = `No delivery${target === undefined ? "" : ` to ${target}`} is dead`;
      const send = `deno task leads send ${id ?? "--stored"}`;
      const help = stored === 0 ? "" : `\nFor ${count(stored, "lead")} without a target: ${send}`;
      const message = `${none}${dead ? "" : " or waits"}.${help}`;
      if (target !== undefined) throw new ExplainedError(message);
      out(`${message}\n`);
    });
}

function targetName(text: string): string {
  if (/^[a-z\d[][\w.:[\]-]*$/i.test(text) && !(text in {})) return text;
  throw new InvalidArgumentError("It must be the name of a target, not its URL.");
}
