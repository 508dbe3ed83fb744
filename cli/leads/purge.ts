/** @module `purge`: removes expired leads. */

import type { Command } from "commander";
import { clear } from "./clear.ts";
import type { Context } from "./context.ts";
import { count } from "./text.ts";

const DESCRIPTION =
  `Removes leads past the retention that they were stored with, or past LEAD_RETENTION \
if that is set here and shorter, and rewrites a database file. The service does the same by itself. A \
lead that waits for a target stays; after a dead letter, retention counts from then.`;

export function addPurge(program: Command, { open, out }: Context): void {
  program.command("purge")
    .summary("remove leads past their retention")
    .description(DESCRIPTION)
    .action(async () => {
      const leads = await open();
      const remove = async () => `${count(await leads.store.purge(), "lead")} purged`;
      await clear(leads, { out, remove });
    });
}
