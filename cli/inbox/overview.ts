/** @module The first page: what came, what is stuck, and how the last days went; figures are from counters. */

import { html as markup } from "@hono/hono/html";
import { dayOf } from "../../lib/clock.ts";
import { reasonOf } from "../../leads/delivery/failure.ts";
import type { LeadCount, Tally } from "../../leads/ports.ts";
import { percentile } from "../../leads/tallies.ts";
import {
  newestLeads,
  strandedLeads,
  type TargetState,
  targetStates,
} from "../../leads/target_state.ts";
import type { Leads } from "../leads/context.ts";
import { NO_LEADS, refusalRows, type States, tally, totalOf } from "../leads/stats.ts";
import { UNITS } from "../leads/text.ts";
import { type Markup, stateMark, time, written } from "./layout.ts";
import { leadTable } from "./leads_page.ts";
import { barsOf, sum, tableOf } from "./plots.ts";

const NEWEST = 8;
const DAYS = 30;

/** The names of the targets that are configured, and of others that have leads. */
export function targetsIn(
  counts: readonly LeadCount[],
  configured: Leads["targets"] = [],
): string[] {
  const counted = counts.flatMap(({ states }) => Object.keys(states));
  return [...new Set([...configured.map(({ id }) => id), ...counted])];
}

export async function overview(
  { store, targets: configured }: Pick<Leads, "store" | "targets">,
  now: number,
): Promise<Markup> {
  const days = Array.from({ length: DAYS }, (_, n) => dayOf(now - (DAYS - 1 - n) * UNITS.day));
  const [counts, tallies, stranded, newest] = await Promise.all([
    store.counts(),
    store.tallies(days[0]!),
    strandedLeads(store, configured),
    newestLeads(store, NEWEST),
  ]);
  const targets = await targetStates(store, { targets: targetsIn(counts, configured), now });
  const counted = await tally(counts);
  const byDay = days.map((day) => counted.days.get(day) ?? NO_LEADS);
  const yesterday = totalOf(byDay.at(-2)!).toLocaleString("en");
  const refused = tallies.filter(({ what }) => what === "refused");
  const refusedOn = (day: string) =>
    sum(refused.filter(({ period }) => period.startsWith(day)).map(({ times }) => times));
  const reasons = refusalRows(refused, now);
  const oldest = Math.min(...targets.map(({ oldest = Infinity }) => oldest));
  const since = oldest < Infinity ? markup` since ${time(oldest, now)}` : "";
  const states = ["delivered", "waiting", "dead", "stored"] as const;
  const ofState = states.map((state) => [state, byDay.map((leads) => leads[state])]);
  const delivered = Map.groupBy(
    tallies.filter(({ what }) => what === "delivered"),
    (one) => one.name,
  );
  const isKnown = (target: string) => configured?.some(({ id }) => id === target) ?? true;
  const rows = targets.map((one) => {
    const { target } = one;
    const figures = { leads: counted.targets.get(target), times: delivered.get(target) };
    return targetRow({ ...one, ...figures, isKnown: isKnown(target) }, now);
  });
  const titles = ["Target", "State", "Waiting", "Next attempt", "Dead", "Delivered"];
  return markup`<dl class="facts">
${fact("Today", totalOf(byDay.at(-1)!), `${yesterday} yesterday (UTC)`)}
${fact("Refused", sum(reasons.map(([, day]) => day)), "in 24 hours")}
${fact("Waiting", counted.states.waiting, markup`for a target${since}`, "/leads?state=waiting")}
${fact("Dead", counted.states.dead, "no longer attempted", "/leads?state=dead")}
</dl>
${
    stranded.map(({ message, target: from = "" }) =>
      markup`<div class="notice"><p>${message}.</p>${
        sendForm(from, targets.map(({ target }) => target).filter(isKnown))
      }</div>`
    )
  }
<section aria-labelledby="newest"><h2 id="newest">Newest leads</h2>
${newest.length === 0 ? markup`<p>No lead yet.</p>` : leadTable(newest, now)}
<p><a href="/leads">All leads</a></p></section>
<section aria-labelledby="targets"><h2 id="targets">Targets</h2>
${
    rows.length === 0
      ? markup`<p>None: leads are stored. Set LEAD_TARGETS.</p>`
      : tableOf([...titles, "Takes", "95 % within"], rows)
  }
</section>
<section aria-labelledby="days"><h2 id="days">The last ${DAYS} days</h2>
<div class="plots">
${barsOf("Leads a day", { days, series: Object.fromEntries(ofState) })}
${barsOf("Refused requests a day", { days, series: { refused: days.map(refusedOn) } })}
${
    [...delivered].map(([target, times]) => {
      const within = days.map((day) =>
        percentile(times.filter(({ period }) => period === day), 0.95) ?? 0
      );
      const title = `Time in which ${target} has taken 95 % of the leads`;
      return barsOf(title, { days, series: { within }, text: durationText });
    })
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

/** Sends leads that no target gets. */
function sendForm(from: string, targets: readonly string[]): Markup {
  if (targets.length === 0) return markup`<p>Set LEAD_TARGETS to send them.</p>`;
  return markup`<form class="row" method="post" action="/send">
<input type="hidden" name="from" value="${from}">
<label>Target <select name="to">${
    targets.map((target) => markup`<option>${target}</option>`)
  }</select>
</label><button type="submit">Send</button></form>`;
}

interface TargetFigures extends TargetState {
  readonly leads: States | undefined;
  readonly times: readonly Tally[] | undefined;
  readonly isKnown: boolean;
}

function targetRow(figures: TargetFigures, now: number): Markup[] {
  const { target, waiting, oldest, nextAttempt, failingSince, result, isKnown } = figures;
  const { leads = NO_LEADS, times = [] } = figures;
  const link = (state: string, n: number) => {
    const query = new URLSearchParams({ target, state });
    return n === 0 ? markup`0` : markup`<a href="/leads?${query}">${n.toLocaleString("en")}</a>`;
  };
  const since = (at: number) => markup` <small>since ${time(at, now)}</small>`;
  const why = result === undefined ? "" : markup` <small>${reasonOf(result)}</small>`;
  const health = !isKnown
    ? stateMark("stored", "not in LEAD_TARGETS")
    : failingSince !== undefined
    ? markup`${stateMark("dead", "failing")}${since(failingSince)}${why}`
    : waiting > 0
    ? stateMark("waiting")
    : stateMark("delivered", "well");
  return [
    markup`<strong>${written(target)}</strong>`,
    health,
    markup`${link("waiting", waiting)}${oldest === undefined ? "" : since(oldest)}`,
    nextAttempt === undefined ? markup`–` : time(nextAttempt, now),
    link("dead", leads.dead),
    link("delivered", leads.delivered),
    ...[0.5, 0.95].map((share) => markup`${durationText(percentile(times, share) ?? 0)}`),
  ];
}

/** In the largest unit of which it is at least one, with two digits. */
function durationText(ms: number): string {
  if (ms === 0) return "–";
  const [unit, size] = Object.entries(UNITS).find(([, size]) => ms >= size) ?? ["ms", 1];
  const short = { minute: "min", ms: "ms" }[unit] ?? unit[0];
  return `${Number((ms / size).toPrecision(2)).toLocaleString("en")} ${short}`;
}
