/** @module The first page: what came, what is stuck, and how the last days went. */

import { html } from "@hono/hono/html";
import { reasonOf } from "../../leads/delivery/failure.ts";
import type { LeadRecord } from "../../leads/lead.ts";
import { refusalRows } from "../leads/stats.ts";
import { STATES } from "../leads/select.ts";
import { UNITS } from "../leads/text.ts";
import { DAYS, type Figures, type TargetFigures, type Times } from "./figures.ts";
import { type Markup, stateMark, time, written } from "./layout.ts";
import { leadTable } from "./leads_page.ts";
import { ranges, stackedBars, tableOf } from "./plots.ts";

/** A time to delivery in the largest unit in which it is at least one. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  const [[name = "", size = 1] = []] = Object.entries(UNITS).filter(([, size]) => ms >= size);
  return `${Number((ms / size).toPrecision(2))} ${name[0] === "m" ? "min" : name[0]}`;
}

export function overview(
  { figures, newest, now }: {
    readonly figures: Figures;
    readonly newest: readonly LeadRecord[];
    readonly now: number;
  },
): Markup {
  const { days, leads, states, refused, targets, stranded } = figures;
  const [yesterday, today] = leads.slice(-2).map((one) => sum(Object.values(one)));
  const reasons = refusalRows(refused, now);
  const refusedToday = sum(reasons.map(([, day]) => day));
  const oldest = targets.flatMap(({ oldest = [] }) => oldest).toSorted((a, b) => a - b)[0];
  const waiting = oldest === undefined ? html`` : html`, the oldest since ${time(oldest, now)}`;
  const byReason = [...new Set(refused.map(({ name }) => name))];
  const of = (reason: string) =>
    days.map((day) =>
      sum(
        refused.filter(({ name, period }) => name === reason && period.startsWith(day))
          .map(({ times }) => times),
      )
    );
  const allRefused = byReason.map(of);
  return html`<dl class="facts">
${fact("Today", today!, html`yesterday ${yesterday!.toLocaleString("en")}; days are UTC`)}
${fact("Refused", refusedToday, html`in 24 hours`)}
${fact("Waiting", states.waiting, html`for a target${waiting}`, "/leads?state=waiting")}
${fact("Dead", states.dead, html`no longer attempted`, "/leads?state=dead")}
</dl>
${stranded.map((one) => strandedNote(one, targets))}
<section aria-labelledby="newest">
<h2 id="newest">Newest leads</h2>
${newest.length === 0 ? html`<p>No lead yet.</p>` : leadTable(newest, now)}
<p><a href="/leads">All leads</a></p>
</section>
<section aria-labelledby="targets">
<h2 id="targets">Targets</h2>
${targets.length === 0 ? html`<p>There is no target: leads are stored (LEAD_TARGETS).</p>` : html``}
${targets.length === 0 ? html`` : targetTable(targets, now)}
</section>
<section aria-labelledby="days">
<h2 id="days">The last ${DAYS} days</h2>
<div class="plots">
${
    stackedBars({
      title: "Leads a day",
      days,
      series: STATES.toReversed().map((name) => ({ name, values: leads.map((one) => one[name]) })),
    })
  }
${
    stackedBars({
      title: "Refused requests a day",
      days,
      series: [{ name: "refused", values: days.map((_, n) => sum(allRefused.map((o) => o[n]!))) }],
    })
  }
${
    targets.filter(({ times }) => times.deliveries > 0).map(({ target, timesByDay }) =>
      ranges({
        title: `Time to delivery to ${target}`,
        days,
        values: timesByDay.map(rangeOf),
        names: ["median", "95th percentile"],
        text: durationText,
      })
    )
  }
</div>
${reasons.length === 0 ? html`` : html`<h3>Refused, by reason</h3>`}
${reasons.length === 0 ? html`` : tableOf(["Reason", "24 hours", `${DAYS} days`], reasons)}
</section>`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}

function rangeOf({ median, p95 }: Times) {
  return median === undefined || p95 === undefined ? undefined : { low: median, high: p95 };
}

function fact(name: string, n: number, note: Markup, to?: string): Markup {
  const number = n.toLocaleString("en");
  return html`
    <div>
      <dt>${name}</dt>
      <dd><strong>${to === undefined || n === 0
        ? number
        : html`<a href="${to}">${number}</a>`}</strong> <small>${note}</small></dd>
    </div>
  `;
}

/** Leads that no target gets, and the button that sends them. */
function strandedNote(
  { message, target }: Figures["stranded"][number],
  targets: readonly TargetFigures[],
): Markup {
  const known = targets.filter(({ isConfigured }) => isConfigured !== false)
    .filter((one) => one.target !== target);
  const send = known.length === 0
    ? html`<p>Set LEAD_TARGETS to send them.</p>`
    : html`<form method="post" action="/send">
<input type="hidden" name="from" value="${target ?? ""}">
<label>Send them to <select name="to">${
      known.map((one) => html`<option>${one.target}</option>`)
    }</select></label> <button>Send</button></form>`;
  return html`<div class="notice failure"><p>${message}.</p>${send}</div>`;
}

function targetTable(targets: readonly TargetFigures[], now: number): Markup {
  const rows = targets.map((one) => {
    const { target, waiting, oldest, nextAttempt, delivered, dead, times } = one;
    const link = (state: string, n: number) =>
      n === 0
        ? html`0`
        : html`<a href="/leads?target=${encodeURIComponent(target)}&amp;state=${state}">${
          n.toLocaleString("en")
        }</a>`;
    const since = oldest === undefined ? html`` : html`
      <small>since ${time(oldest, now)}</small>
    `;
    const next = nextAttempt === undefined ? html`–` : time(nextAttempt, now);
    const took = times.median === undefined || times.p95 === undefined
      ? html`–`
      : html`${durationText(times.median)} <small>95 %: ${durationText(times.p95)}</small>`;
    return [
      html`<strong>${written(target)}</strong>`,
      health(one, now),
      html`${link("waiting", waiting)}${since}`,
      next,
      link("dead", dead),
      link("delivered", delivered),
      took,
    ];
  });
  const titles = ["Target", "State", "Waiting", "Next attempt", "Dead", "Delivered", "Takes"];
  return tableOf(titles, rows);
}

function health(
  { failingSince, result, waiting, isConfigured }: TargetFigures,
  now: number,
): Markup {
  if (isConfigured === false) return stateMark("stored", "not in LEAD_TARGETS");
  if (failingSince !== undefined) {
    const why = result === undefined ? "" : `: ${reasonOf(result)}`;
    return html`${stateMark("dead", "failing")} <small>since ${
      time(failingSince, now)
    }${why}</small>`;
  }
  return waiting > 0 ? stateMark("waiting", "busy") : stateMark("delivered", "well");
}
