/**
 * @module `erase`: every lead of a person, with all that points to it, for good (GDPR, article 17).
 *
 * Works on all leads, those past their retention and those that cannot be opened included, and again
 * until none is found, so that one that comes in meanwhile goes too.
 */

import { createPseudonyms } from "../../leads/privacy.ts";
import type { Removed } from "../../leads/store.ts";
import { type Args, type Command, type Context, PROGRAM, UsageError } from "./command.ts";
import { clearFile } from "./clear_file.ts";
import { progressOn } from "./progress.ts";
import { count, paintFor } from "./text.ts";

/** `erase`, for the program. */
export const erase: Command = {
  name: "erase",
  summary: "remove every trace of a person",
  usage: "erase EMAIL [--yes]",
  help: [
    "Removes the person's leads with their queue entries, dead letters and index entries, also those " +
    "past their retention. Letter case does not matter. Asks first; erasing again does no harm.",
    "A database file is rewritten then, so that nothing can be read in it any more; leads that come in " +
    "meanwhile wait, 2 s where 100,000 are kept. What a hosted KV does with what is removed is its own.",
    "What has been delivered, exported or backed up is not within reach: erase it there too.",
  ],
  examples: ["erase ada@example.com", "erase ada@example.com --yes"],
  options: { yes: { type: "boolean", summary: "do not ask" } },
  operand: "required",
  run: runErase,
};

async function runErase(context: Context, { flags, operand = "" }: Args): Promise<void> {
  const { store, out, confirm } = context;
  const email = operand.trim();
  if (!email.includes("@")) throw new UsageError(`Cannot erase ${email}: not an email address`);
  if (!flags.has("yes") && confirm === undefined) {
    throw new UsageError(
      `Cannot ask before erasing: no terminal; ${PROGRAM} erase ${email} --yes does not ask`,
    );
  }
  const person = createPseudonyms(await store.secret()).email(email);
  const found = await store.ofPerson(person);
  if (found.length > 0 && !flags.has("yes")) {
    const question = `Erase ${count(found.length, "lead")} of ${email}? It cannot be undone.`;
    if (!confirm?.(question)) throw new Error("Nothing was erased.");
  }
  const removed = await eraseAll(context, { person, found });
  await clearFile(context, `${count(removed.leads, "lead")} of ${email} erased`);
  const { bold } = paintFor(context);
  out(`${bold(`Erased ${count(removed.leads, "lead")} of ${email}`)}\n`);
  out(`  ${count(removed.queued, "queue entry")}\n`);
  out(`  ${count(removed.dead, "dead letter")}\n`);
  out(`  ${count(removed.index, "index entry")}\n`);
}

/** Removes what was found, and what has come since, until nothing is left. */
async function eraseAll(
  context: Context,
  { person, found }: { readonly person: string; readonly found: readonly string[] },
): Promise<Removed> {
  const { store } = context;
  const progress = progressOn(context);
  const sum = { leads: 0, queued: 0, dead: 0, index: 0 };
  for (let left = found; left.length > 0; left = await store.ofPerson(person)) {
    for (const id of left) {
      let removed = await store.remove(id);
      // KV deletes what has expired entry by entry, in any order.
      if (removed.leads === 0) removed = await store.removeStray(person, id);
      sum.leads += removed.leads;
      sum.queued += removed.queued;
      sum.dead += removed.dead;
      sum.index += removed.index;
      progress(`${count(sum.leads, "lead")} erased`);
    }
  }
  return sum;
}
