/** @module Leads in a table, the filter above it, and the way to the next page. */

import { html } from "@hono/hono/html";
import type { LeadRecord } from "../../leads/lead.ts";
import { isChoice, LEAD_RULES } from "../../schemas/lead.ts";
import { hasLines, STORED_FIELDS } from "../../schemas/lead_fields.ts";
import { CHOICES, type Filter, stateOf, STATES } from "../leads/select.ts";
import { count } from "../leads/text.ts";
import { type Markup, stateMark, time, written } from "./layout.ts";
import type { Listing } from "./listing.ts";
import { tableOf } from "./plots.ts";

/** As in `leads list`: texts first, then choices, and the beginning of the message. */
const COLUMNS = STORED_FIELDS.toSorted(([one], [other]) =>
  Number(isChoice(one)) - Number(isChoice(other))
);

/** How much of a text of several lines a row shows. */
const BEGINNING = 80;

export function leadTable(records: readonly LeadRecord[], now: number): Markup {
  const rows = records.map((record) => {
    const { id, receivedAt, lead } = record;
    const cells = COLUMNS.map(([name]) => {
      const text = lead[name] ?? "–";
      const isLong = hasLines(name) && text.length > BEGINNING;
      const shown = isLong ? `${text.slice(0, BEGINNING).toWellFormed()}…` : text;
      return html`<div class="${hasLines(name) ? "long" : "line"}">${
        written(shown.replace(/\s+/g, " "))
      }</div>`;
    });
    const link = html`<a href="/leads/${id}">${time(receivedAt, now)}</a>`;
    return [link, stateMark(stateOf(record)), ...cells];
  });
  return tableOf(["Received", "State", ...COLUMNS.map(([name]) => name)], rows);
}

/** What the filter offers, beside the values of the fields. */
interface Choices {
  readonly filter: Filter;
  readonly targets: readonly string[];
  /** The address of this page's filter, without the page. */
  readonly query: string;
}

export function leadsPage(
  { records, total, next, isCut }: Listing,
  { filter, targets, query, now }: Choices & { readonly now: number },
): Markup {
  const and = query === "" ? "?" : `${query}&`;
  const to = (path: string) => `${path}${query}`;
  const found = total === undefined ? "" : `${count(total, "lead")}. `;
  const older = next === undefined ? html`` : html`<p class="actions"><a class="button"
href="/leads${and}before=${next}">${isCut ? "Search older leads" : "Older leads"}</a></p>`;
  const cut = isCut ? html`<p>Searched as far back as the time allows.</p>` : html``;
  return html`${filterForm({ filter, targets, query })}
<p>${found}Export what is selected: <a href="${to("/export.csv")}" download>CSV</a>,
<a href="${to("/export.jsonl")}" download>JSON lines</a></p>
${records.length === 0 ? html`<p>No lead${isCut ? " so far" : ""}.</p>` : leadTable(records, now)}
${cut}${older}`;
}

function filterForm({ filter, targets }: Choices): Markup {
  const select = (name: string, values: readonly string[]) => {
    const options = ["", ...values].map((value) =>
      html`
        <option value="${value}" ${(filter[name] ?? "") === value
          ? html`
            selected
          `
          : ""}>${value || "any"}</option>
      `
    );
    return html`<label>${name} <select name="${name}">${options}</select></label>`;
  };
  // Not in the address: it may be a name.
  const text = html`<label>text <input type="search" name="text" autocomplete="off"
value="${filter.text ?? ""}"></label>`;
  return html`<form class="filter" method="post" action="/filter" role="search">
${select("state", STATES)}${select("target", targets)}${
    CHOICES.map((name) => select(name, [...LEAD_RULES[name]?.enum ?? [], "none"]))
  }${text}<button>Show</button><a href="/leads">All</a></form>`;
}
