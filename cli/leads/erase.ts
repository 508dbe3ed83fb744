/** @module `erase`: removes a person's leads (GDPR, article 17). */

import type { Command } from "commander";
import { ExplainedError } from "../../lib/log.ts";
import type { LeadStore } from "../../leads/ports.ts";
import { clear } from "./clear.ts";
import type { Context } from "./context.ts";
import { emailAddress, personOf } from "./find.ts";
import { count } from "./text.ts";

const DESCRIPTION =
  `Removes a person's leads with their queue entries, dead letters and index entries, \
expired ones too. Letter case does not matter. Asks first; erasing again does no harm.

A database file is then rewritten, so that no trace is left in it: a minute with 300,000 stored leads, \
while new ones are accepted. Erase delivered copies, exports and backups yourself.`;

export function addErase(program: Command, { open, confirm, out }: Context): void {
  program.command("erase")
    .summary("remove every trace of a person")
    .description(DESCRIPTION)
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
      const remove = async () =>
        `${count(await removeAll(leads.store, person), "lead")} of ${email} erased`;
      await clear(leads, { out, remove });
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
