/** @module One lead: what was written, its way to each target, and what can be done with it. */

import { html } from "@hono/hono/html";
import { reasonOf } from "../../leads/delivery/failure.ts";
import { attemptCount, type Delivery, type LeadRecord, retentionEnd } from "../../leads/lead.ts";
import { LEASE_MS } from "../../leads/leases.ts";
import { hasLines, namesIn } from "../../schemas/lead_fields.ts";
import { count } from "../leads/text.ts";
import { stateOf } from "../leads/select.ts";
import { fullTime, type Markup, stateMark, written } from "./layout.ts";

export function leadPage(
  record: LeadRecord,
  { targets, now }: { readonly targets: readonly string[]; readonly now: number },
): Markup {
  const { id, receivedAt, deliveries } = record;
  const values: Readonly<Record<string, string | undefined>> = record.lead;
  const end = retentionEnd(record);
  const fields = namesIn(values).flatMap((name) => {
    const text = values[name];
    if (text === undefined) return [];
    const long = hasLines(name)
      ? html`
        class="message"
      `
      : "";
    return [html`
      <dt>${name}</dt>
      <dd${long}>${written(text, { hasLines: hasLines(name) })}</dd>\\n
    `];
  });
  const others = targets.filter((target) => !Object.hasOwn(deliveries, target));
  return html`
    <p>${stateMark(stateOf(record))} <code>${id}</code></p>
    <div class="columns">
      <section aria-labelledby="written">
        <h2 id="written">What was written</h2>
        <dl class="lead">${fields}</dl>
      </section>
      <section aria-labelledby="way"><h2 id="way">Its way</h2>
    <p>Arrived ${fullTime(receivedAt, now)}</p>
    ${Object.entries(deliveries).map(([target, one]) => way(target, one, { id, now }))}
    ${others.map((target) =>
      html`<h3>${target}</h3><p>It does not go there.</p>${sendForm(id, target, "Send")}`
    )}
    ${others.length + Object.keys(deliveries).length === 0 ? html`<p>There is no target.</p>` : ""}
    <p>${end === Infinity
      ? html`Kept until it is delivered or dead`
      : html`Kept until ${fullTime(end, now)}`}</p>
      </section>
    </div>
    <p class="actions"><a href="/leads/${id}/erase">Erase this person …</a></p>
  `;
}

function way(
  target: string,
  delivery: Delivery,
  { id, now }: { readonly id: string; readonly now: number },
): Markup {
  const { state, attempts, omitted = 0 } = delivery;
  const first = Math.ceil(attempts.length / 2);
  const steps = attempts.flatMap(({ at, durationMs, result }, n) => {
    const words = result === "ok" ? "accepted" : reasonOf(result);
    const step = html`<li class="${result === "ok" ? "delivered" : "failed"}">${
      fullTime(at, now)
    }<br>
${words}, after ${durationMs.toLocaleString("en")} ms</li>\n`;
    const gap = omitted > 0 && n + 1 === first
      ? [html`<li>${omitted.toLocaleString("en")} more attempts</li>\n`]
      : [];
    return [step, ...gap];
  });
  return html`<h3>${written(target)} ${stateMark(state)}</h3>
<ol class="way">${steps}<li class="${state}">${outcome(delivery, now)}</li></ol>
${sendForm(id, target, state === "waiting" ? "Try now" : "Send again")}`;
}

/** What comes next, or why nothing does. */
function outcome({ state, due, leased, attempts, ...rest }: Delivery, now: number): Markup {
  const tried = count(attemptCount({ state, due, attempts, ...rest }), "attempt");
  if (state === "delivered") return html`Delivered after ${tried}`;
  if (state === "dead") {
    const { result = "failed" } = attempts.at(-1) ?? {};
    return html`Dead after ${tried}: ${reasonOf(result)}`;
  }
  if (due < now - 60_000) return html`Overdue since ${fullTime(due, now)}: is the service running?`;
  if (due <= now) return html`Due now`;
  if (leased && due - now <= LEASE_MS) return html`An attempt may be in progress`;
  return html`Next attempt ${fullTime(due, now)}`;
}

function sendForm(id: string, target: string, label: string): Markup {
  return html`<form method="post" action="/leads/${id}/send">
<button name="to" value="${target}">${label}<span class="said"> to ${target}</span></button></form>`;
}

/** What would go, before it goes. */
export function erasePage(
  { id, lead }: LeadRecord,
  { found, isFile }: { readonly found: readonly LeadRecord[]; readonly isFile: boolean },
): Markup {
  const rewrite = isFile
    ? html`<p>The database file is then rewritten, so that no trace is left in it. That takes a minute
with 300,000 leads, while new ones are accepted.</p>`
    : html``;
  return html`<p>${count(found.length, "lead")} of ${written(lead.email)} with queue entries, dead
letters and index entries. It cannot be undone.</p>
<ul>${found.map((one) => html`<li><a href="/leads/${one.id}">${one.id}</a></li>`)}</ul>
${rewrite}<p>Erase delivered copies, exports and backups yourself.</p>
<form class="actions" method="post" action="/leads/${id}/erase">
<button class="danger">Erase ${count(found.length, "lead")}</button> <a href="/leads/${id}">Keep</a>
</form>`;
}
