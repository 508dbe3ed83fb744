/** @module One lead: what was written, its way to each target, and what can be done with it. */

import { html as markup } from "@hono/hono/html";
import { reasonOf } from "../../leads/delivery/failure.ts";
import { type Delivery, type LeadRecord, retentionEnd } from "../../leads/lead.ts";
import { hasLines, namesIn } from "../../schemas/lead_fields.ts";
import { stateOf } from "../leads/select.ts";
import { progressOf } from "../leads/show.ts";
import { count } from "../leads/text.ts";
import { fullTime, type Markup, stateMark, written } from "./layout.ts";

export function leadPage(
  record: LeadRecord,
  { targets, now }: { readonly targets: readonly string[]; readonly now: number },
): Markup {
  const { id, receivedAt, deliveries } = record;
  const values: Readonly<Record<string, string | undefined>> = record.lead;
  const fields = namesIn(values).map((name) => {
    const isLong = hasLines(name);
    const text = written(values[name] ?? "–", { hasLines: isLong });
    return markup`<dt>${name}</dt><dd class="${isLong ? "message" : ""}">${text}</dd>`;
  });
  const ways = [...new Set([...Object.keys(deliveries), ...targets])].map((target) =>
    markup`<h3>${written(target)} ${deliveries[target] && stateMark(deliveries[target].state)}</h3>
${wayOf(deliveries[target], now)}
<form method="post" action="/leads/${id}/send"><button type="submit" name="to"
value="${target}">Send now<span class="said"> to ${target}</span></button></form>`
  );
  const end = retentionEnd(record);
  const until = end === Infinity ? "it is delivered or dead" : fullTime(end, now);
  return markup`<p>${stateMark(stateOf(record))} <code>${id}</code></p>
<div class="columns">
<section aria-labelledby="written"><h2 id="written">What was written</h2>
<dl class="lead">${fields}</dl></section>
<section aria-labelledby="way"><h2 id="way">Its way</h2>
<p>Arrived ${fullTime(receivedAt, now)}</p>
${ways}<p>Kept until ${until}</p>
</section></div>
<p><a href="/leads/${id}/erase">Erase this person …</a></p>`;
}

function wayOf(delivery: Delivery | undefined, now: number): Markup {
  if (delivery === undefined) return markup`<p>It does not go there.</p>`;
  const { state, attempts, omitted = 0 } = delivery;
  const steps = attempts.map(({ at, durationMs, result }) => {
    const [mark, words] = result === "ok" ? ["ok", "accepted"] : ["failed", reasonOf(result)];
    return markup`<li class="${mark}">${fullTime(at, now)}<br>${words}, after ${
      durationMs.toLocaleString("en")
    } ms</li>`;
  });
  const gap = markup`<li>${omitted.toLocaleString("en")} more attempts</li>`;
  if (omitted > 0) steps.splice(Math.ceil(steps.length / 2), 0, gap);
  const mark = { dead: "failed", delivered: "ok", waiting: "" }[state];
  return markup`<ol class="way">${steps}<li class="${mark}">${progressOf(delivery, now)}</li></ol>`;
}

/** What would go, before it goes. */
export function erasePage(
  { id, lead }: LeadRecord,
  { ids, isFile }: { readonly ids: readonly string[]; readonly isFile: boolean },
): Markup {
  const leads = count(ids.length, "lead");
  const rewrite =
    markup`<p>The database file is then rewritten, so that no trace is left in it. That takes
a minute with 300,000 leads, while new ones are accepted.</p>`;
  return markup`<p>${leads} of ${
    written(lead.email)
  } with queue entries, dead letters and index entries. It
cannot be undone.</p>
<ul>${ids.map((id) => markup`<li><a href="/leads/${id}">${id}</a></li>`)}</ul>
${isFile ? rewrite : ""}<p>Erase delivered copies, exports and backups yourself.</p>
<form class="row" method="post" action="/leads/${id}/erase">
<button type="submit" class="danger">Erase ${leads}</button><a href="/leads/${id}">Keep</a></form>`;
}
