/** @module `erase`: removes every lead of a person and all that refers to it (GDPR, article 17). */

import type { Command } from "commander";
import { ExplainedError } from "../../leads/log.ts";
import type { LeadStore, Removed } from "../../leads/store.ts";
import { clearFile, type Context } from "./context.ts";
import { emailAddress, personOf } from "./records.ts";
import { count } from "./text.ts";

const DESCRIPTION = `Removes a person's leads with their queue entries, dead letters and index \
entries, including expired ones. Letter case does not matter. Asks first; erasing again does no harm.

A database file is then rewritten, so that no trace is left in it; new leads wait meanwhile, 2 s for \
100,000 stored leads. A hosted KV removes deleted entries as its platform does.

Copies that were delivered, exported or backed up are out of reach: erase them there too.`;

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
      const person = await personOf(leads, email);
      const found = (await leads.store.ofPerson(person)).length;
      const question = `Erase ${count(found, "lead")} of ${email}? It cannot be undone.`;
      if (!yes && found > 0 && !confirm?.(question)) {
        throw new ExplainedError("Nothing was erased.");
      }
      const { leads: erased, queued, dead, index } = await removeAll(leads.store, person);
      await clearFile(leads, `${count(erased, "lead")} of ${email} erased`);
      const removed = [[queued, "queue entry"], [dead, "dead letter"], [
        index,
        "index entry",
      ]] as const;
      out(`Erased ${count(erased, "lead")} of ${email}\n`);
      for (const [n, noun] of removed) out(`  ${count(n, noun)}\n`);
    });
}

/** Repeats until no lead is left, to remove those that arrive meanwhile. */
async function removeAll(store: LeadStore, person: string): Promise<Removed> {
  const sum = { leads: 0, queued: 0, dead: 0, index: 0 };
  for (;;) {
    const ids = await store.ofPerson(person);
    if (ids.length === 0) return sum;
    for (const id of ids) {
      let removed = await store.remove(id);
      // KV deletes expired entries one by one, in any order.
      if (removed.leads === 0) removed = await store.removeStray(person, id);
      for (const kind of ["leads", "queued", "dead", "index"] as const) sum[kind] += removed[kind];
    }
  }
}
