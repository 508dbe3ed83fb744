/** @module Leads in a table, the filter above it, and the way to the next page. */

import { html as markup } from "@hono/hono/html";
import type { LeadRecord } from "../../leads/lead.ts";
import { isChoice, LEAD_RULES } from "../../schemas/lead.ts";
import { STORED_FIELDS } from "../../schemas/lead_fields.ts";
import { CHOICES, type Filter, stateOf, STATES } from "../leads/select.ts";
import { count } from "../leads/text.ts";
import { type Markup, stateMark, time, written } from "./layout.ts";
import type { Listing } from "./listing.ts";
import { tableOf } from "./plots.ts";

/** Texts first, then choices. */
const COLUMNS = STORED_FIELDS.map(([name]) => name)
  .toSorted((one, other) => Number(isChoice(one)) - Number(isChoice(other)));

/** How much of a text a row shows. */
const BEGINNING = 80;

export function leadTable(records: readonly LeadRecord[], now: number): Markup {
  const rows = records.map((record) => {
    const { id, receivedAt, lead } = record;
    const cells = COLUMNS.map((name) => {
      const text = (lead[name] ?? "–").replace(/\s+/g, " ");
      const isLong = text.length > BEGINNING;
      const shown = isLong ? `${text.slice(0, BEGINNING).toWellFormed()}…` : text;
      return markup`<div class="short">${written(shown)}</div>`;
    });
    const link = markup`<a href="/leads/${id}">${time(receivedAt, now)}</a>`;
    return [link, stateMark(stateOf(record)), ...cells];
  });
  return tableOf(["Received", "State", ...COLUMNS], rows);
}

export function leadsPage(
  { records, total, next, isCut }: Listing,
  { filter, targets, query, now }: {
    readonly filter: Filter;
    readonly targets: readonly string[];
    /** The address of the filter. */
    readonly query: string;
    readonly now: number;
  },
): Markup {
  const select = (name: string, values: readonly string[]) => {
    const options = ["", ...values].map((value) => {
      const selected = (filter[name] ?? "") === value ? "selected" : "";
      return markup`<option value="${value}" ${selected}>${value || "any"}</option>`;
    });
    return markup`<label>${name} <select name="${name}">${options}</select></label>`;
  };
  const found = total === undefined ? "" : `${count(total, "lead")}. `;
  const older = new URLSearchParams(query);
  older.set("before", next ?? "");
  // The text is not in the address: it may be a name.
  return markup`<form class="row" method="post" action="/filter" role="search">
${select("state", STATES)}${select("target", targets)}
${CHOICES.map((name) => select(name, [...LEAD_RULES[name]?.enum ?? [], "none"]))}
<label>text <input type="search" name="text" autocomplete="off" value="${
    filter.text ?? ""
  }"></label>
<button type="submit">Show</button><a href="/leads">All</a></form>
<p>${found}Export what is selected: <a href="/export.csv${query}" download>CSV</a>,
<a href="/export.jsonl${query}" download>JSON lines</a></p>
${records.length === 0 ? markup`<p>No lead${isCut ? " so far" : ""}.</p>` : leadTable(records, now)}
${next === undefined ? "" : markup`<p><a class="button" href="/leads?${older}">Older leads</a></p>`}
${isCut ? markup`<p>Searched as far back as the time allows: go on with older leads.</p>` : ""}`;
}
