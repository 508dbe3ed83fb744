/**
 * @module `list --watch`: new leads and changes as they happen. Two seconds cost one read of the newest
 * leads; an older one is read again while an attempt is near, and else once a minute.
 */

import { attemptsOf, type LeadRecord } from "../../leads/lead.ts";
import { errorName } from "../../leads/log.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import type { Context, Leads } from "./context.ts";
import { type Filter, matches, stateOf } from "./records.ts";

const INTERVAL_MS = 2_000;

/** How often every watched lead is read again: `send` and `retry` may have changed it. */
const ALL_MS = 60_000;

/** A lead may be stored so long after its id was made. */
const LATE_MS = 15_000;

/** How many of the newest leads are watched. */
const WATCHED = 100;

/** Selects leads, then goes on. */
export function createWatch(
  { store, skip }: Leads,
  { filter: { state, ...filter }, context: { now, pause, err } }: {
    readonly filter: Filter;
    readonly context: Context;
  },
): { selected: () => AsyncIterable<LeadRecord>; run: (show: Show) => Promise<void> } {
  /** The last leads by id, each with its states and attempts. */
  const known = new Map<string, { record: LeadRecord; progress: string }>();
  /** The least id that a lead which is stored from now on can have. */
  let from = "";

  /** Remembers the lead. @returns whether it is selected, and is new or has changed */
  function isNews(record: LeadRecord): boolean {
    const late = idAt(record.receivedAt - LATE_MS);
    if (late > from) from = late;
    if (!matches(record, filter)) return false;
    const progress = Object.entries(record.deliveries)
      .map(([target, one]) => `${target} ${one.state} ${attemptsOf(one)}`).join();
    const isSame = known.get(record.id)?.progress === progress;
    known.set(record.id, { record, progress });
    for (const id of known.keys()) {
      if (known.size <= WATCHED || id >= from) break;
      known.delete(id);
    }
    return !isSame && (state ?? stateOf(record)) === stateOf(record);
  }

  async function* selected(): AsyncIterable<LeadRecord> {
    await pause(0); // takes over Ctrl-C
    for await (const record of store.all()) if (isNews(record)) yield record;
  }

  async function readAgain(all: boolean): Promise<LeadRecord[]> {
    const older = [...known].filter(([id, { record }]) =>
      id < from && (all || isNear(record, now()))
    );
    const again = await Promise.all(older.map(async ([id]) => {
      const record = await skip(store.get(id));
      if (record === null) known.delete(id);
      return record ?? [];
    }));
    return [...again.flat(), ...await Array.fromAsync(store.all({ from }))];
  }

  async function run(show: Show): Promise<void> {
    let allAt = now();
    let isDown = false;
    while (await pause(INTERVAL_MS)) {
      const all = now() - allAt >= ALL_MS;
      if (all) allAt = now();
      try {
        for (const record of await readAgain(all)) if (isNews(record)) show(record);
        isDown = false;
      } catch (error) {
        if (!isDown) err(`Cannot read KV: ${errorName(error)}. Trying until it responds.\n`);
        isDown = true;
      }
    }
  }

  return { selected, run };
}

type Show = (record: LeadRecord) => void;

/** Whether an attempt is in progress or near. */
function isNear({ deliveries }: LeadRecord, now: number): boolean {
  return Object.values(deliveries).some(({ state, due }) =>
    state === "waiting" && Math.abs(due - now) <= 2 * LEASE_MS
  );
}

/** The least id of a lead that arrived then: a UUIDv7 begins with 48 bits of epoch milliseconds. */
function idAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
