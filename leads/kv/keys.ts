/**
 * @module The keys of the store, one builder each. No address, no name and no message is ever part
 * of one: clients and people are keyed hashes.
 */

/** Bumped only with a migration. */
const ROOT = "frontdoor1";

/** A builder for each kind of key and prefix. */
export const keys = {
  secret: (): Deno.KvKey => [ROOT, "secret"],
  /** Never set: what deletes it tries whether the database can be written to. */
  probe: (): Deno.KvKey => [ROOT, "probe"],
  /** When the file is to be rewritten next; see `maintenance.ts`. */
  rewrite: (): Deno.KvKey => [ROOT, "rewrite"],
  lead: (id: string): Deno.KvKey => [ROOT, "lead", id],
  leads: (): Deno.KvKey => [ROOT, "lead"],
  /** A job in a target's queue; one queue a target, so that none waits behind another's. */
  due: (target: string, at: number, id: string): Deno.KvKey => [ROOT, "due", target, at, id],
  queues: (): Deno.KvKey => [ROOT, "due"],
  /** All jobs of a target, the longest waiting first. */
  queue: (target: string): Deno.KvKey => [ROOT, "due", target],
  dead: (target: string, id: string): Deno.KvKey => [ROOT, "dead", target, id],
  /** The lead of this content, within the time in which it counts as the same. */
  same: (content: string): Deno.KvKey => [ROOT, "same", content],
  byEmail: (person: string, id: string): Deno.KvKey => [ROOT, "by_email", person, id],
  person: (person: string): Deno.KvKey => [ROOT, "by_email", person],
  limit: (client: string): Deno.KvKey => [ROOT, "limit", client],
};
