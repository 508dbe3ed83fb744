/** @module Checks that KV has exactly the entries that the records of its leads require. */

import { keys } from "../../leads/kv/keys.ts";
import type { StoredLead } from "../../leads/kv/codec.ts";

const OF_NO_LEAD = new Set(
  [keys.secret(), keys.rewrite(), keys.limit(""), keys.pause(""), keys.tallies(), keys.alerts()]
    .map((key) => key[1]),
);

export async function inconsistencies(kv: Pick<Deno.Kv, "list">): Promise<string[]> {
  const expected = new Set<string>();
  const actual = new Set<string>();
  const counts: Record<string, number> = {};
  for await (const { key, value } of kv.list({ prefix: [] })) {
    if (OF_NO_LEAD.has(key[1])) continue;
    const [, kind] = key;
    if (kind === keys.counts()[1]) {
      const leads = (value as Deno.KvU64).value;
      if (leads !== 0n) actual.add(`${leads} of ${JSON.stringify(key)}`);
      continue;
    }
    // The entry by which a duplicate is recognised must also have the right id.
    actual.add(kind === keys.same("")[1] ? sameEntry(key, value) : JSON.stringify(key));
    if (kind !== keys.leads()[1]) continue;
    for (const entry of entriesOf(value as StoredLead)) expected.add(entry);
    const count = countOf(value as StoredLead);
    counts[count] = (counts[count] ?? 0) + 1;
  }
  for (const [key, leads] of Object.entries(counts)) expected.add(`${leads} of ${key}`);
  return [
    ...[...expected.difference(actual)].map((entry) => `missing: ${entry}`),
    ...[...actual.difference(expected)].map((entry) => `stray: ${entry}`),
  ].sort();
}

function entriesOf({ id, deliveries, index }: StoredLead): string[] {
  const jobs = Object.entries(deliveries).flatMap(([target, { state, due }]) => {
    if (state === "waiting") return [keys.due(target, due, id)];
    return state === "dead" ? [keys.dead(target, id)] : [];
  });
  const stored = Object.keys(deliveries).length === 0 ? [keys.stored(id)] : [];
  return [
    ...[keys.lead(id), keys.byEmail(index.email, id), ...jobs, ...stored]
      .map((key) => JSON.stringify(key)),
    sameEntry(keys.same(index.same), { id }),
  ];
}

function countOf({ receivedAt, choices = "", deliveries }: StoredLead): string {
  const states = Object.entries(deliveries).map(([target, { state }]) => [target, state]).sort();
  const day = new Date(receivedAt).toISOString().slice(0, 10);
  return JSON.stringify(keys.count(day, choices, JSON.stringify(Object.fromEntries(states))));
}

function sameEntry(key: Deno.KvKey, value: unknown): string {
  return `${JSON.stringify(key)} → ${(value as { id: string }).id}`;
}
