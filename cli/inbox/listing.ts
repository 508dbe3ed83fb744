/**
 * @module A page of leads, newest first. A filter by state, target and choices reads only days on which the
 * counters have such leads; a search for a text reads as far back as the time allows, and goes on from
 * there with the next page.
 */

import type { LeadRecord } from "../../leads/lead.ts";
import { idAt } from "../../leads/lead_id.ts";
import type { LeadCount, LeadStore } from "../../leads/ports.ts";
import { choiceOf, CHOICES, type Filter, isIn, select } from "../leads/select.ts";
import { UNITS } from "../leads/text.ts";

const ROWS = 50;

/** How long a page may read. */
const READING_MS = 200;

export interface Listing {
  readonly records: readonly LeadRecord[];
  /** How many leads match; undefined with a text, which is not counted. */
  readonly total: number | undefined;
  /** The next page begins before this id; undefined: there is none. */
  readonly next: string | undefined;
  /** The time was over: perhaps there are more on this page's days. */
  readonly isCut: boolean;
}

export async function listingOf(
  store: Pick<LeadStore, "all">,
  { filter, counts, before }: {
    readonly filter: Filter;
    readonly counts: readonly LeadCount[];
    /** Where the page begins; undefined: with the newest lead. */
    readonly before: string | undefined;
  },
): Promise<Listing> {
  const matching = counts.filter(({ states, choices }) =>
    isIn(states, filter) &&
    CHOICES.every((name) => filter[name] === undefined || choiceOf(name, choices) === filter[name])
  );
  const total = filter.text === undefined
    ? matching.reduce((sum, { leads }) => sum + leads, 0)
    : undefined;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const days = (some: readonly LeadCount[]) =>
    [...new Set(some.map(({ day }) => day))].sort().reverse();
  const ranges = isFiltered ? rangesOf(days(counts), new Set(days(matching))) : [{}];

  const end = performance.now() + READING_MS;
  const records: LeadRecord[] = [];
  let last: string | undefined;
  let isCut = false;
  const inTime: Pick<LeadStore, "all"> = {
    async *all(options) {
      for await (const record of store.all(options)) {
        last = record.id;
        yield record;
        isCut = performance.now() > end && records.length <= ROWS;
        if (isCut) return;
      }
    },
  };
  for (const { from = "", to = "~" } of ranges) {
    if (before !== undefined && before <= from) continue;
    const options = { from, to: before !== undefined && before < to ? before : to, reverse: true };
    const most = isFiltered ? 200 : ROWS + 1;
    for await (const record of select(inTime, filter, { ...options, most })) {
      if (records.push(record) > ROWS) break;
    }
    if (isCut || records.length > ROWS) break;
  }
  const next = records.length > ROWS ? records[ROWS - 1]!.id : isCut ? last : undefined;
  return { records: records.slice(0, ROWS), total, next, isCut };
}

/** Ids of the matching days, those without another day between them in one range; newest first. */
function rangesOf(
  days: readonly string[],
  matching: ReadonlySet<string>,
): { from?: string; to?: string }[] {
  const ranges: { from: string; to: string }[] = [];
  let isOpen = false;
  for (const day of days) {
    const start = Date.parse(day);
    if (!matching.has(day)) isOpen = false;
    else if (isOpen) ranges.at(-1)!.from = idAt(start);
    else {
      ranges.push({ from: idAt(start), to: idAt(start + UNITS.day) });
      isOpen = true;
    }
  }
  return ranges;
}
