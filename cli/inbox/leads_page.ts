/**
 * @module Leads, newest first, with the filter above. A filter reads only days on which the counters have
 * such leads; a search for a text reads as far back as the time allows, and goes on with the next page.
 */

import { html as markup } from "@hono/hono/html";
import type { LeadRecord } from "../../leads/lead.ts";
import { idAt } from "../../leads/lead_id.ts";
import type { LeadCount, LeadStore } from "../../leads/ports.ts";
import { isChoice, LEAD_RULES } from "../../schemas/lead.ts";
import { STORED_FIELDS } from "../../schemas/lead_fields.ts";
import { choiceOf, CHOICES, type Filter, isIn, select, stateOf, STATES } from "../leads/select.ts";
import { count, UNITS } from "../leads/text.ts";
import { type Markup, stateMark, time, written } from "./layout.ts";
import { sum, tableOf } from "./plots.ts";

const ROWS = 50;

/** How long a page may read. */
const READING_MS = 200;

/** Texts first, then choices. */
const COLUMNS = STORED_FIELDS.map(([name]) => name)
  .toSorted((one, other) => Number(isChoice(one)) - Number(isChoice(other)));

export function leadTable(records: readonly LeadRecord[], now: number): Markup {
  const rows = records.map((record) => {
    const { id, receivedAt, lead } = record;
    const cells = COLUMNS.map((name) =>
      markup`<div class="short">${written((lead[name] ?? "–").replace(/\s+/g, " "))}</div>`
    );
    const link = markup`<a href="/leads/${id}">${time(receivedAt, now)}</a>`;
    return [link, stateMark(stateOf(record)), ...cells];
  });
  return tableOf(["Received", "State", ...COLUMNS], rows);
}

interface LeadsPage {
  readonly filter: Filter;
  readonly counts: readonly LeadCount[];
  /** Where the page begins; undefined: with the newest lead. */
  readonly before: string | undefined;
  readonly targets: readonly string[];
  /** The address of the filter. */
  readonly query: string;
  readonly now: number;
}

export async function leadsPage(
  store: Pick<LeadStore, "all">,
  { filter, counts, before, targets, query, now }: LeadsPage,
): Promise<Markup> {
  const matching = counts.filter(({ states, choices }) =>
    isIn(states, filter) &&
    CHOICES.every((name) => filter[name] === undefined || choiceOf(name, choices) === filter[name])
  );
  const { records, next, isCut } = await read(store, { filter, matching, before });
  const options = (name: string, values: readonly string[]) => {
    const options = ["", ...values].map((value) => {
      const selected = (filter[name] ?? "") === value ? "selected" : "";
      return markup`<option value="${value}" ${selected}>${value || "any"}</option>`;
    });
    return markup`<label>${name} <select name="${name}">${options}</select></label>`;
  };
  const found = count(sum(matching.map(({ leads }) => leads)), "lead");
  const older = new URLSearchParams(query);
  older.set("before", next ?? "");
  // The text is not in the address: it may be a name.
  return markup`<form class="row" method="post" action="/filter" role="search">
${options("state", STATES)}${options("target", targets)}
${CHOICES.map((name) => options(name, [...LEAD_RULES[name]?.enum ?? [], "none"]))}
<label>text <input type="search" name="text" autocomplete="off" value="${
    filter.text ?? ""
  }"></label>
<button type="submit">Show</button><a href="/leads">All</a></form>
<p>${filter.text === undefined ? `${found}. ` : ""}Export what is selected:
<a href="/export.csv${query}" download>CSV</a>,
<a href="/export.jsonl${query}" download>JSON lines</a></p>
${records.length === 0 ? markup`<p>No lead${isCut ? " so far" : ""}.</p>` : leadTable(records, now)}
${next === undefined ? "" : markup`<p><a class="button" href="/leads?${older}">Older leads</a></p>`}
${isCut ? markup`<p>Searched as far back as the time allows: go on with older leads.</p>` : ""}`;
}

/** A page of leads, the id before which the next one begins, and whether the time was over. */
async function read(
  store: Pick<LeadStore, "all">,
  { filter, matching, before = "~" }: Pick<LeadsPage, "filter" | "before"> & {
    readonly matching: readonly LeadCount[];
  },
): Promise<{ records: readonly LeadRecord[]; next?: string | undefined; isCut?: boolean }> {
  const end = performance.now() + READING_MS;
  const records: LeadRecord[] = [];
  let last: string | undefined;
  const watched: typeof store = {
    async *all(options) {
      for await (const record of store.all(options)) {
        last = record.id;
        yield record;
        if (performance.now() > end) return;
      }
    },
  };
  const most = Object.keys(filter).length > 0 ? 200 : ROWS + 1;
  const days = new Set(matching.map(({ day }) => Date.parse(day)));
  for (const day of [...days].sort((a, b) => b - a)) {
    const [from, to] = [idAt(day), idAt(day + UNITS.day)].map((id) => id < before ? id : before);
    if (from === to) continue;
    for await (
      const record of select(watched, filter, { from: from!, to: to!, reverse: true, most })
    ) {
      if (records.length === ROWS) return { records, next: records.at(-1)!.id };
      records.push(record);
    }
    if (performance.now() > end) return { records, next: last ?? from, isCut: true };
  }
  return { records };
}
