/** @module `show` and `find`: one lead, or all leads of a person (GDPR, article 15), with every attempt. */

import type { Command } from "commander";
import { reasonOf } from "../../leads/delivery/failure.ts";
import { attemptCount, type Delivery, type LeadRecord, retentionEnd } from "../../leads/lead.ts";
import { ExplainedError } from "../../lib/log.ts";
import { LEASE_MS } from "../../leads/leases.ts";
import type { Context } from "./context.ts";
import { emailAddress, findLeads, ID, personOf } from "./find.ts";
import { stateOf } from "./select.ts";
import { count, iso, json, relative, yaml } from "./text.ts";

const FIND = `Prints every lead of a person, with expired ones that have not been deleted yet. The \
address has to be complete; letter case does not matter.`;

/** For the person who reads the document. */
const FIELDS = {
  receivedAt: "when the contact form or the API received it (UTC)",
  expiresAt: "when it is to be deleted; null while it waits for a receiver",
  expired: "true: that time has passed, and the next purge deletes it",
  state: "the worst state of its deliveries; stored: it was given to no receiver",
  deliveries: "the receivers that it was or is to be delivered to, with each attempt",
  omitted: "how many further attempts there were, of which no record is kept",
  earlier: "how many attempts were made before it was sent again",
  keyedHashes: "entries in an index, made from the address and from the content with a secret key",
};

export function addShow(program: Command, context: Context): void {
  const { open, skip, now, out } = context;
  program.command("show")
    .description("show one lead with every delivery and every attempt")
    .argument("<id>", ID)
    .option("--json", "one JSON object")
    .action(async (id: string, options: { json?: true }) => {
      const { store } = await open();
      for (const record of await findLeads(store, [id], context)) {
        out(options.json ? `${json(toJson(record))}\n` : yaml(toJson(record, now())));
      }
    });
  program.command("find")
    .summary("all that is stored about a person")
    .description(FIND)
    .argument("<email>", "the person's address", emailAddress)
    .option("--json", "one JSON document to hand over (article 15 GDPR)")
    .action(async (email: string, options: { json?: true }) => {
      const { store, retentionMs } = await open();
      const found: LeadRecord[] = [];
      for (const id of await store.ofPerson(await personOf(store, email))) {
        const record = await skip(store.get(id, { expired: true }));
        if (record === null) continue;
        // The service deletes it once either is over.
        const expiresAt = Math.min(record.expiresAt, record.receivedAt + retentionMs);
        found.push({ ...record, expiresAt });
      }
      if (found.length === 0) throw new ExplainedError(`No lead of ${email} can be found.`);
      const leads = found.map((each) => ({
        ...toJson(each, options.json ? undefined : now()),
        expired: retentionEnd(each) <= now(),
        keyedHashes: { email: each.index.email, content: each.index.same },
      }));
      if (!options.json) return out(leads.map(yaml).join("---\n"));
      out(`${json({ email, asOf: iso(now()), leads, fields: FIELDS }, 2)}\n`);
    });
}

/**
 * A lead as JSON: times in ISO 8601, content at the top level, deliveries by target.
 *
 * @param now given: the state of each delivery is also put into words
 */
export function toJson(record: LeadRecord, now?: number): Record<string, unknown> {
  const { id, receivedAt, lead, deliveries } = record;
  const end = retentionEnd(record);
  return {
    id,
    receivedAt: iso(receivedAt),
    expiresAt: end === Infinity ? null : iso(end),
    state: stateOf(record),
    ...lead,
    deliveries: Object.fromEntries(
      Object.entries(deliveries).map(([target, { due, attempts, ...delivery }]) => [target, {
        ...now !== undefined && { is: progressOf(record.deliveries[target]!, now) },
        ...delivery,
        ...(delivery.state === "waiting" && { due: iso(due) }),
        attempts: attempts.map(({ at, durationMs, result }) => ({
          at: iso(at),
          durationMs,
          result,
        })),
      }]),
    ),
  };
}

/** The state of a delivery, what comes next, or why nothing does. */
export function progressOf(delivery: Delivery, now: number): string {
  const { earlier, ...round } = delivery;
  if (earlier !== undefined) {
    return `sent again after ${count(earlier, "attempt")}: ${progressOf(round, now)}`;
  }
  const { state, due, attempts } = delivery;
  if (state === "delivered") return "delivered";
  if (state === "dead") {
    const reason = reasonOf(attempts.at(-1)?.result ?? "");
    return `dead after ${count(attemptCount(delivery), "attempt")}: ${reason}`;
  }
  if (due < now - 60_000) return `waiting, overdue since ${at(due, now)}: is the service running?`;
  if (due <= now) return "waiting, due now";
  if (due - now <= LEASE_MS) return "waiting, in progress or due within seconds";
  return `waiting, next attempt ${at(due, now)}`;
}

function at(time: number, now: number): string {
  return `${iso(time)} (${relative(time, now)})`;
}
