/** @module `purge`: removes leads past their retention now rather than within a minute. */

import type { Command, Context } from "./command.ts";
import { clearFile } from "./clear_file.ts";
import { progressOn } from "./progress.ts";
import { count } from "./text.ts";

/** Leads looked at between two words on progress. */
const AT_ONCE = 1_000;

/** `purge`, for the program. */
export const purge: Command = {
  name: "purge",
  summary: "remove leads past their retention",
  usage: "purge",
  help: [
    "The running service does the same each minute. A lead goes when the time is over that it was " +
    "stored with, or LEAD_RETENTION, if that is set here and shorter.",
    "A database file is rewritten then, so that nothing can be read in it any more. The service does " +
    "that once a day.",
  ],
  examples: ["purge"],
  options: {},
  run: runPurge,
};

async function runPurge(context: Context): Promise<void> {
  const progress = progressOn(context);
  let purged = 0;
  let some: number;
  do {
    some = await context.store.purge(AT_ONCE);
    purged += some;
    progress(`${count(purged, "lead")} purged`);
  } while (some > 0);
  await clearFile(context, `${count(purged, "lead")} purged`);
  context.out(`${count(purged, "lead")} purged\n`);
}
