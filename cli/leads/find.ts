/** @module Finds leads by their ids, and the pseudonym of a person by an address. */

import { InvalidArgumentError } from "commander";
import type { LeadRecord } from "../../leads/lead.ts";
import { createPseudonyms } from "../../leads/pseudonyms.ts";
import type { LeadStore } from "../../leads/ports.ts";
import { ExplainedError } from "../../lib/log.ts";
import type { Context } from "./context.ts";

/** For the help of commands that call {@link findLeads}. */
export const ID = "a lead's id, or an unambiguous beginning or end of it";

/**
 * The leads whose ids equal, start with or end with the texts, each once, without unusable ones.
 *
 * @throws {Error} if for a text none or more than one matches
 */
export async function findLeads(
  store: Pick<LeadStore, "get" | "all">,
  texts: readonly string[],
  { skip }: Pick<Context, "skip">,
): Promise<LeadRecord[]> {
  const found = new Map<string, LeadRecord>();
  for (const text of texts) {
    const record = await skip(findLead(store, text));
    if (record !== null) found.set(record.id, record);
  }
  return [...found.values()];
}

async function findLead(store: Pick<LeadStore, "get" | "all">, text: string): Promise<LeadRecord> {
  const wanted = text.trim().toLowerCase();
  let found = wanted === "" ? null : await store.get(wanted);
  if (found !== null) return found;
  for await (const record of wanted === "" ? [] : store.all()) {
    const { id } = record;
    if (!id.startsWith(wanted) && !id.endsWith(wanted)) continue;
    if (found !== null) {
      const ids = `${found.id}, ${id} or another one`;
      throw new ExplainedError(`Cannot tell which lead ${text} is: ${ids}`);
    }
    found = record;
  }
  if (found !== null) return found;
  const reason = "no id starts or ends with it; list shows the ids";
  throw new ExplainedError(`Cannot find lead ${text}: ${reason}`);
}

/**
 * For the arguments of commands that call {@link personOf}. Leads have the ASCII form of a domain, which
 * browsers send: a person who asks writes `ada@müller.example`.
 */
export function emailAddress(text: string): string {
  const [, local, domain] = /^\s*(.*@)(.*?)\s*$/s.exec(text) ?? [];
  if (domain === undefined) throw new InvalidArgumentError("It must be an email address.");
  const ascii = /[^ -~]/.test(domain) ? URL.parse(`http://${domain}`)?.hostname : undefined;
  return local + (ascii ?? domain);
}

export async function personOf(store: Pick<LeadStore, "secret">, email: string): Promise<string> {
  return createPseudonyms(await store.secret()).email(email);
}
