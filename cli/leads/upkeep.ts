/** @module `reseal` and `purge`: maintain the whole store. */

import type { Command } from "commander";
import { clearFile, type Context } from "./context.ts";
import { count } from "./text.ts";

const RESEAL = `Seals leads and the store's secret with the first key of LEAD_ENCRYPTION_KEYS; \
after that the other keys can be removed.

To rotate: put the new key first, restart the service with both, reseal, remove the old key, restart. \
Leads from before the first key are sealed too.`;

const PURGE = `Removes leads past the retention that they were stored with, or past LEAD_RETENTION \
if that is set here and shorter. The running service does the same each minute.

A database file is then rewritten, so that no trace is left in it. The service does that once a day.`;

/** Leads per call. */
const BATCH = 1_000;

export function addUpkeep(program: Command, { open, out }: Context): void {
  program.command("reseal")
    .summary("seal all leads with the newest encryption key")
    .description(RESEAL)
    .action(async () => {
      const { leads, resealed } = await (await open()).store.reseal();
      out(`${count(resealed, "lead")} of ${leads.toLocaleString("en")} resealed\n`);
    });
  program.command("purge")
    .summary("remove leads past their retention")
    .description(PURGE)
    .action(async () => {
      const leads = await open();
      let purged = 0;
      let some: number;
      do {
        some = await leads.store.purge(BATCH);
        purged += some;
      } while (some > 0);
      await clearFile(leads, `${count(purged, "lead")} purged`);
      out(`${count(purged, "lead")} purged\n`);
    });
}
