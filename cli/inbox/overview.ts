/** @module The first page: what came, what is stuck, and how the last days went. */

import { html as markup } from "@hono/hono/html";
import { reasonOf } from "../../leads/delivery/failure.ts";
import type { LeadRecord } from "../../leads/lead.ts";
import { refusalRows } from "../leads/stats.ts";
import { UNITS } from "../leads/text.ts";
import { DAYS, type Figures, sum, type TargetFigures } from "./figures.ts";
import { type Markup, stateMark, time, written } from "./layout.ts";
import { leadTable } from "./leads_page.ts";
import { ranges, stackedBars, tableOf } from "./plots.ts";

/** In the largest unit of which it is at least one, with two digits. */
function durationText(ms: number): string {
  const [unit, size] = Object.entries(UNITS).find(([, size]) => ms >= size) ?? ["ms", 1];
  const short = { minute: "min", ms: "ms" }[unit] ?? unit[0];
  return `${Number((ms / size).toPrecision(2)).toLocaleString("en")} ${short}`;
}

export function overview(
  { figures, newest, now }: {
    readonly figures: Figures;
    readonly newest: readonly LeadRecord[];
    readonly now: number;
  },
): Markup {
  const { days, leads, states, refused, targets, stranded } = figures;
  const [yesterday = 0, today = 0] = leads.slice(-2).map((one) => sum(Object.values(one)));
  const reasons = refusalRows(refused, now);
  const oldest = Math.min(...targets.map(({ oldest = Infinity }) => oldest));
  const since = oldest < Infinity
    ? markup`for a target since ${time(oldest, now)}`
    : "for a target";
  const refusedOn = (day: string) =>
    sum(refused.filter(({ period }) => period.startsWith(day)).map(({ times }) => times));
  const names = ["delivered", "waiting", "dead", "stored"] as const;
  const byState = Object.fromEntries(names.map((name) => [name, leads.map((one) => one[name])]));
  const timed = targets.filter(({ times }) => times !== undefined);
  return markup`<dl class="facts">
${fact("Today", today, `${yesterday.toLocaleString("en")} yesterday (UTC)`)}
${fact("Refused", sum(reasons.map(([, day]) => day)), "in 24 hours")}
${fact("Waiting", states.waiting, since, "/leads?state=waiting")}
${fact("Dead", states.dead, "no longer attempted", "/leads?state=dead")}
</dl>
${stranded.map((one) => strandedNote(one, targets))}
<section aria-labelledby="newest"><h2 id="newest">Newest leads</h2>
${newest.length === 0 ? markup`<p>No lead yet.</p>` : leadTable(newest, now)}
<p><a href="/leads">All leads</a></p></section>
<section aria-labelledby="targets"><h2 id="targets">Targets</h2>
${
    targets.length === 0
      ? markup`<p>None: leads are stored. Set LEAD_TARGETS.</p>`
      : targetTable(targets, now)
  }
</section>
<section aria-labelledby="days"><h2 id="days">The last ${DAYS} days</h2>
<div class="plots">
${stackedBars({ title: "Leads a day", days }, byState)}
${stackedBars({ title: "Refused requests a day", days }, { refused: days.map(refusedOn) })}
${
    timed.map(({ target, timesByDay: values }) =>
      ranges({ title: `Time to delivery to ${target}: median to 95 %`, days }, {
        values,
        names: ["median", "95th percentile"],
        text: durationText,
      })
    )
  }
</div>
${reasons.length > 0 ? markup`<h3>Refused, by reason</h3>` : ""}
${reasons.length > 0 ? tableOf(["Reason", "24 hours", `${DAYS} days`], reasons) : ""}</section>`;
}

function fact(name: string, n: number, note: string | Markup, to?: string): Markup {
  const number = n.toLocaleString("en");
  const shown = to === undefined || n === 0 ? number : markup`<a href="${to}">${number}</a>`;
  return markup`<div><dt>${name}</dt><dd><strong>${shown}</strong> <small>${note}</small></dd></div>`;
}

/** Leads that no target gets, and the button that sends them. */
function strandedNote(
  { message, target: from = "" }: Figures["stranded"][number],
  targets: readonly TargetFigures[],
): Markup {
  const known = targets.filter(({ isConfigured }) => isConfigured !== false);
  const send = known.length === 0
    ? markup`<p>Set LEAD_TARGETS to send them.</p>`
    : markup`<form class="row" method="post" action="/send">
<input type="hidden" name="from" value="${from}">
<label>Target <select name="to">${
      known.map(({ target }) => markup`<option>${target}</option>`)
    }</select>
</label><button type="submit">Send</button></form>`;
  return markup`<div class="notice"><p>${message}.</p>${send}</div>`;
}

function targetTable(targets: readonly TargetFigures[], now: number): Markup {
  const rows = targets.map((one) => {
    const { target, waiting, oldest, nextAttempt, delivered, dead, times } = one;
    const link = (state: string, n: number) => {
      const query = new URLSearchParams({ target, state });
      return n === 0 ? markup`0` : markup`<a href="/leads?${query}">${n.toLocaleString("en")}</a>`;
    };
    const since = oldest === undefined ? "" : markup` <small>since ${time(oldest, now)}</small>`;
    return [
      markup`<strong>${written(target)}</strong>`,
      health(one, now),
      markup`${link("waiting", waiting)}${since}`,
      nextAttempt === undefined ? "–" : time(nextAttempt, now),
      link("dead", dead),
      link("delivered", delivered),
      ...times?.map(durationText) ?? ["–", "–"],
    ];
  });
  const titles = ["Target", "State", "Waiting", "Next attempt", "Dead", "Delivered"];
  return tableOf([...titles, "Takes", "95 % within"], rows);
}

function health(
  { failingSince, result, waiting, isConfigured }: TargetFigures,
  now: number,
): Markup {
  if (isConfigured === false) return stateMark("stored", "not in LEAD_TARGETS");
  if (failingSince !== undefined) {
    const why = result === undefined ? "" : `: ${reasonOf(result)}`;
    return markup`${stateMark("dead", "failing")} <small>since ${
      time(failingSince, now)
    }${why}</small>`;
  }
  return waiting > 0 ? stateMark("waiting") : stateMark("delivered", "well");
}
