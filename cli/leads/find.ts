/** @module `find`: all that is stored about a person, to answer a request for access (GDPR, article 15). */

import type { Command } from "commander";
import type { LeadRecord } from "../../leads/lead.ts";
import { ExplainedError } from "../../leads/log.ts";
import type { Context } from "./context.ts";
import { emailAddress, personOf, toJson } from "./records.ts";
import { describeLead } from "./show.ts";
import { iso, json } from "./text.ts";

const DESCRIPTION =
  `Prints every lead of a person with the whole content, when it is deleted and to which \
targets it went. The address has to be complete; letter case does not matter. Expired leads that have \
not been deleted yet are included.`;

/** For the person who reads the document. */
const FIELDS = {
  receivedAt: "when the contact form or the API received it (UTC)",
  expiresAt: "when it is deleted, by the next purge",
  expired: "true: that time has passed, and the next purge deletes it",
  state: "the worst state of its deliveries; stored: it was given to no receiver",
  deliveries: "the receivers that it was or is to be delivered to, with each attempt (tries)",
  omitted: "how many further attempts there were, of which no record is kept",
  keyedHashes: "entries in an index, made from the address and from the content with a secret key",
};

export function addFind(program: Command, context: Context): void {
  program.command("find")
    .summary("all that is stored about a person")
    .description(DESCRIPTION)
    .argument("<email>", "the person's address", emailAddress)
    .option("--json", "one JSON document to hand over (article 15 GDPR)")
    .action(async (email: string, options: { json?: true }) => {
      const leads = await context.open();
      const { store, skip, retentionMs } = leads;
      const found: LeadRecord[] = [];
      for (const id of await store.ofPerson(await personOf(leads, email))) {
        const record = await skip(store.get(id, { expired: true }));
        if (record === null) continue;
        // The service deletes it once either is over.
        found.push({
          ...record,
          expiresAt: Math.min(record.expiresAt, record.receivedAt + retentionMs),
        });
      }
      if (found.length === 0) throw new ExplainedError(`No lead of ${email} can be found.`);
      if (!options.json) {
        return context.out(found.map((each) => describeLead(each, context)).join("\n"));
      }
      const now = context.now();
      const document = {
        email,
        asOf: iso(now),
        leads: found.map((each) => ({
          ...toJson(each),
          expired: each.expiresAt <= now,
          keyedHashes: { email: each.index.email, content: each.index.same },
        })),
        fields: FIELDS,
      };
      context.out(`${json(document, 2)}\n`);
    });
}
