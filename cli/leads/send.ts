/** @module `send`: gives leads to targets that they did not have, or gives them again. */

import { type Command, InvalidArgumentError } from "commander";
import type { Deliveries } from "../../leads/lead.ts";
import { ExplainedError } from "../../leads/log.ts";
import type { Context } from "./context.ts";
import { findLeads, ID } from "./records.ts";
import { requeue } from "./requeue.ts";

const DESCRIPTION =
  `Gives leads to a target of LEAD_TARGETS; without --to to all of them. They are \
due now, and the running service sends them within a minute.

With ids, a target that has acknowledged a lead before gets it again, with the same webhook-id. With \
--stored and --from, no target gets a lead twice, and running it again does no harm. --from moves what \
waits for a target or is dead there, even if LEAD_TARGETS no longer has it.

Each delivery starts a new schedule, without its former attempts. What the service may be attempting \
at the moment is left alone.`;

interface SendOptions {
  readonly stored?: true;
  readonly from?: string;
  readonly to?: string;
  readonly dryRun?: true;
}

export function addSend(program: Command, context: Context): void {
  program.command("send")
    .summary("give leads to a target: stored ones, those of another target, or by id")
    .description(DESCRIPTION)
    .argument("[ids...]", ID)
    .option("--stored", "all leads that had no target when they arrived")
    .option("--from <target>", "the waiting and dead deliveries of this target; stats lists them")
    .option("--to <target>", "the name of the target; by default all of LEAD_TARGETS", targetName)
    .option("--dry-run", "only say what would happen")
    .action(async (ids: string[], options: SendOptions, command: Command) => {
      const { stored, from, to, dryRun } = options;
      if ([ids.length > 0, stored, from !== undefined].filter(Boolean).length !== 1) {
        command.error("error: give either ids, --stored or --from");
      }
      const leads = await context.open();
      const known = leads.targets?.map(({ id }) => id);
      const names = to === undefined ? known : [to];
      const unset = "LEAD_TARGETS is not set here";
      if (names === undefined) return command.error(`error: ${unset}: name the target with --to`);
      if (known === undefined) context.err(`${unset}: cannot check that ${to} is one of them.\n`);
      else if (!names.every((name) => known.includes(name))) {
        throw new ExplainedError(`Cannot send to ${to}: LEAD_TARGETS has ${known.join(", ")}`);
      }
      if (from !== undefined && names.includes(from)) {
        throw new ExplainedError(
          `Cannot send from ${from} to itself: name another target with --to, or use retry`,
        );
      }
      const isAgain = ids.length > 0;
      function wanted(deliveries: Deliveries): readonly string[] | undefined {
        if (isAgain) return names;
        if (from === undefined) return Object.keys(deliveries).length === 0 ? names : undefined;
        // Not `?? …`: every object has a `constructor`, and a target may have had that name.
        const state = deliveries[from]?.state;
        if (state !== "waiting" && state !== "dead") return undefined;
        return names!.filter((name) => (deliveries[name]?.state ?? "dead") === "dead");
      }
      const records = isAgain ? await findLeads(leads, ids) : leads.store.all();
      if (await requeue(leads, records, { wanted, from, dryRun, context }) > 0 || isAgain) return;
      const what = stored ? "no lead is without a target" : `nothing waits for ${from} or is dead`;
      context.out(`Nothing to send: ${what}.\n`);
    });
}

function targetName(text: string): string {
  if (/^[a-z\d[][\w.:[\]-]*$/i.test(text)) return text;
  throw new InvalidArgumentError("It must be the name of a target, not its URL.");
}
