/** @module `erase`: every lead of a person, with all that points to it, for good (GDPR, article 17). */

import { type Command, InvalidArgumentError } from "commander";
import { createPseudonyms } from "../../leads/privacy.ts";
import type { LeadStore, Removed } from "../../leads/store.ts";
import { clearFile, type Context } from "./context.ts";
import { count } from "./text.ts";

const DESCRIPTION = `Removes a person's leads with their queue entries, dead letters and index \
entries, also those past their retention. Letter case does not matter. Asks first; erasing again does \
no harm.

A database file is then rewritten, so that nothing can be read in it any more; leads that come in \
meanwhile wait, 2 s where 100,000 are kept. A hosted KV keeps removed entries as its platform does.

What has been delivered, exported or backed up is not within reach: erase it there too.`;

/** Adds `erase`. */
export function addErase(program: Command, { open, confirm, out }: Context): void {
  program.command("erase")
    .summary("remove every trace of a person")
    .description(DESCRIPTION)
    .argument("<email>", "the person's address", emailAddress)
    .option("--yes", "do not ask")
    .action(async (email: string, { yes }: { yes?: true }, command: Command) => {
      if (!yes && confirm === undefined) {
        command.error("error: cannot ask before erasing, with no terminal; --yes does not ask");
      }
      const leads = await open();
      const person = createPseudonyms(await leads.store.secret()).email(email);
      const found = (await leads.store.ofPerson(person)).length;
      const question = `Erase ${count(found, "lead")} of ${email}? It cannot be undone.`;
      if (!yes && found > 0 && !confirm?.(question)) throw new Error("Nothing was erased.");
      const { leads: erased, queued, dead, index } = await removeAll(leads.store, person);
      await clearFile(leads, `${count(erased, "lead")} of ${email} erased`);
      out(
        `Erased ${count(erased, "lead")} of ${email}
  ${count(queued, "queue entry")}
  ${count(dead, "dead letter")}
  ${count(index, "index entry")}
`,
      );
    });
}

function emailAddress(text: string): string {
  if (text.includes("@")) return text.trim();
  throw new InvalidArgumentError("It must be an email address.");
}

/** Removes until no lead is found, so that one that comes in meanwhile goes too. */
async function removeAll(store: LeadStore, person: string): Promise<Removed> {
  const sum = { leads: 0, queued: 0, dead: 0, index: 0 };
  for (;;) {
    const ids = await store.ofPerson(person);
    if (ids.length === 0) return sum;
    for (const id of ids) {
      let removed = await store.remove(id);
      // KV deletes what has expired entry by entry, in any order.
      if (removed.leads === 0) removed = await store.removeStray(person, id);
      for (const kind of ["leads", "queued", "dead", "index"] as const) sum[kind] += removed[kind];
    }
  }
}
