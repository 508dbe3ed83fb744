/** @module `reseal`: seals all leads with the newest key. */

import type { Command } from "commander";
import { clear } from "./clear.ts";
import type { Context } from "./context.ts";
import { count } from "./text.ts";

const DESCRIPTION =
  `Seals leads and the store's secret with the first key of LEAD_ENCRYPTION_KEYS, and \
rewrites a database file, so that what was stored before cannot be read in it.

To rotate: put the new key first, restart the service with both, reseal, remove the old key, restart.`;

export function addReseal(program: Command, { open, out }: Context): void {
  program.command("reseal")
    .summary("seal all leads with the newest encryption key")
    .description(DESCRIPTION)
    .action(async () => {
      const leads = await open();
      async function remove(): Promise<string> {
        const { leads: all, resealed } = await leads.store.reseal();
        return `${count(resealed, "lead")} of ${all.toLocaleString("en")} resealed`;
      }
      await clear(leads, { out, remove });
    });
}
