/** @module The keys of the store. Clients and people appear in them only as keyed hashes. */

import type { Tally } from "../ports.ts";

/** Bumped only with a migration. */
const ROOT = "frontdoor1";

export const keys = {
  secret: (): Deno.KvKey => [ROOT, "secret"],
  /** Never set: deleting it tests whether the database is writable. */
  probe: (): Deno.KvKey => [ROOT, "probe"],
  /** When the file is next due to be rewritten. */
  rewrite: (): Deno.KvKey => [ROOT, "rewrite"],
  lead: (id: string): Deno.KvKey => [ROOT, "lead", id],
  leads: (): Deno.KvKey => [ROOT, "lead"],
  due: (target: string, at: number, id: string): Deno.KvKey => [ROOT, "due", target, at, id],
  queues: (): Deno.KvKey => [ROOT, "due"],
  /** All jobs of a target, longest waiting first. */
  queue: (target: string): Deno.KvKey => [ROOT, "due", target],
  pause: (target: string): Deno.KvKey => [ROOT, "pause", target],
  dead: (target: string, id: string): Deno.KvKey => [ROOT, "dead", target, id],
  /** A lead that had no target when it arrived. */
  stored: (id: string): Deno.KvKey => [ROOT, "stored", id],
  allStored: (): Deno.KvKey => [ROOT, "stored"],
  /** How many leads of a day (UTC) have these choices and these states at their targets. */
  count: (day: string, choices: string, states: string): Deno.KvKey => [
    ROOT,
    "count",
    day,
    choices,
    states,
  ],
  counts: (): Deno.KvKey => [ROOT, "count"],
  alerts: (): Deno.KvKey => [ROOT, "alerts"],
  tally: ({ period, what, name, step }: Omit<Tally, "times">): Deno.KvKey => [
    ROOT,
    "tally",
    period,
    what,
    name,
    step,
  ],
  tallies: (): Deno.KvKey => [ROOT, "tally"],
  /** The lead with this content, while a repetition counts as a duplicate. */
  same: (content: string): Deno.KvKey => [ROOT, "same", content],
  byEmail: (person: string, id: string): Deno.KvKey => [ROOT, "by_email", person, id],
  people: (): Deno.KvKey => [ROOT, "by_email"],
  person: (person: string): Deno.KvKey => [ROOT, "by_email", person],
  limit: (client: string): Deno.KvKey => [ROOT, "limit", client],
};
