/** @module `reseal`: seals leads with the newest key, so that an old one can be thrown away. */

import type { Command, Context } from "./command.ts";
import { progressOn } from "./progress.ts";
import { count, numeral } from "./text.ts";

/** `reseal`, for the program. */
export const reseal: Command = {
  name: "reseal",
  summary: "seal all leads with the newest encryption key",
  usage: "reseal",
  help: [
    "Leads and the store's secret are sealed anew with the first key of LEAD_ENCRYPTION_KEYS, where " +
    "they are not; after that the other keys can go.",
    "To rotate: put the new key in front, restart the service with both, reseal, take the old key " +
    "away, restart. The same seals leads that came before there was a key.",
  ],
  examples: ["reseal"],
  options: {},
  run: runReseal,
};

async function runReseal(context: Context): Promise<void> {
  const progress = progressOn(context);
  const { leads, resealed } = await context.store.reseal((done) => {
    progress(`${count(done, "lead")} looked at`);
  });
  context.out(`${count(resealed, "lead")} of ${numeral(leads)} sealed anew\n`);
}
