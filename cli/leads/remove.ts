/** @module `erase` (GDPR, article 17), `purge` and `reseal`: what removes text from the database for good. */

import type { Command } from "commander";
import { ExplainedError, safeReason } from "../../lib/log.ts";
import type { LeadStore } from "../../leads/ports.ts";
import type { Context, Leads } from "./context.ts";
import { emailAddress, personOf } from "./find.ts";
import { count } from "./text.ts";

const ERASE = `Removes a person's leads with their queue entries, dead letters and index entries, \
expired ones too. Letter case does not matter. Asks first; erasing again does no harm.

A database file is then rewritten, so that no trace is left in it: a minute with 300,000 stored leads, \
while new ones are accepted. Erase delivered copies, exports and backups yourself.`;

const RESEAL = `Seals leads and the store's secret with the first key of LEAD_ENCRYPTION_KEYS, and \
rewrites a database file, so that what was stored before cannot be read in it.

To rotate: put the new key first, restart the service with both, reseal, remove the old key, restart.`;

const PURGE = `Removes leads past the retention that they were stored with, or past LEAD_RETENTION \
if that is set here and shorter, and rewrites a database file. The service does the same by itself. A \
lead that waits for a target stays; after a dead letter, retention counts from then.`;

export function addRemoval(program: Command, { open, confirm, out }: Context): void {
  /** Changes the database, then rewrites its file. */
  async function rewriting({ rewrite }: Leads, change: Promise<string>): Promise<void> {
    const done = await change;
    await rewrite?.().catch((error: unknown) => {
      throw new ExplainedError(
        `${done}, but the database file could not be rewritten and may still contain what was removed: ` +
          `${safeReason(error)}. Run it again.`,
      );
    });
    out(`${done}\n`);
  }

  program.command("erase")
    .summary("remove every trace of a person")
    .description(ERASE)
    .argument("<email>", "the person's address", emailAddress)
    .option("--yes", "do not ask")
    .action(async (email: string, { yes }: { yes?: true }, command: Command) => {
      if (!yes && confirm === undefined) {
        command.error("error: cannot ask for confirmation without a terminal; use --yes");
      }
      const leads = await open();
      const person = await personOf(leads.store, email);
      const found = (await leads.store.ofPerson(person)).length;
      const question = `Erase ${count(found, "lead")} of ${email}? It cannot be undone.`;
      if (!yes && found > 0 && !confirm?.(question)) {
        throw new ExplainedError("Nothing was erased.");
      }
      const erased = removeAll(leads.store, person)
        .then((removed) => `${count(removed, "lead")} of ${email} erased`);
      await rewriting(leads, erased);
    });

  program.command("reseal")
    .summary("seal all leads with the newest encryption key")
    .description(RESEAL)
    .action(async () => {
      const leads = await open();
      const resealed = leads.store.reseal().then(({ leads: all, resealed }) =>
        `${count(resealed, "lead")} of ${all.toLocaleString("en")} resealed`
      );
      await rewriting(leads, resealed);
    });

  program.command("purge")
    .summary("remove leads past their retention")
    .description(PURGE)
    .action(async () => {
      const leads = await open();
      await rewriting(leads, leads.store.purge().then((n) => `${count(n, "lead")} purged`));
    });
}

/** Repeats until no lead is left, to remove those that arrive meanwhile. */
async function removeAll(store: LeadStore, person: string): Promise<number> {
  for (let removed = 0;;) {
    const ids = await store.ofPerson(person);
    if (ids.length === 0) return removed;
    for (const id of ids) if (await store.remove(id, person)) removed++;
  }
}
