/** @module `reseal` and `purge`: the store as a whole. */

import type { Command } from "commander";
import { clearFile, type Context } from "./context.ts";
import { count } from "./text.ts";

const RESEAL = `Seals leads and the store's secret with the first key of LEAD_ENCRYPTION_KEYS, \
where they are not; after that the other keys can go.

To rotate: put the new key in front, restart the service with both, reseal, take the old key away, \
restart. This also seals leads that came before there was a key.`;

const PURGE =
  `Removes leads past the retention that they were stored with, or past LEAD_RETENTION, \
if that is set here and shorter. The running service does the same each minute.

A database file is then rewritten, so that nothing can be read in it any more. The service does that \
once a day.`;

/** Leads that are examined at once. */
const AT_ONCE = 1_000;

/** Adds `reseal` and `purge`. */
export function addUpkeep(program: Command, { open, out }: Context): void {
  program.command("reseal")
    .summary("seal all leads with the newest encryption key")
    .description(RESEAL)
    .action(async () => {
      const { leads, resealed } = await (await open()).store.reseal();
      out(`${count(resealed, "lead")} of ${leads.toLocaleString("en")} sealed anew\n`);
    });
  program.command("purge")
    .summary("remove leads past their retention")
    .description(PURGE)
    .action(async () => {
      const leads = await open();
      let purged = 0;
      let some: number;
      do {
        some = await leads.store.purge(AT_ONCE);
        purged += some;
      } while (some > 0);
      await clearFile(leads, `${count(purged, "lead")} purged`);
      out(`${count(purged, "lead")} purged\n`);
    });
}
