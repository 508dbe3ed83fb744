/** @module One lead: what was written, its way to each target, and what can be done with it. */

import { html as markup } from "@hono/hono/html";
import { reasonOf } from "../../leads/delivery/failure.ts";
import { attemptCount, type Delivery, type LeadRecord, retentionEnd } from "../../leads/lead.ts";
import { hasLines, namesIn } from "../../schemas/lead_fields.ts";
import { stateOf } from "../leads/select.ts";
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
  const others = targets.filter((target) => !Object.hasOwn(deliveries, target)).map((target) =>
    markup`<h3>${target}</h3><p>It does not go there.</p>${sendForm(id, target)}`
  );
  const end = retentionEnd(record);
  const until = end === Infinity ? "it is delivered or dead" : fullTime(end, now);
  return markup`<p>${stateMark(stateOf(record))} <code>${id}</code></p>
<div class="columns">
<section aria-labelledby="written"><h2 id="written">What was written</h2>
<dl class="lead">${fields}</dl></section>
<section aria-labelledby="way"><h2 id="way">Its way</h2>
<p>Arrived ${fullTime(receivedAt, now)}</p>
${Object.entries(deliveries).map(([target, one]) => wayTo(target, one, { id, now }))}
${others}<p>Kept until ${until}</p>
</section></div>
<p><a href="/leads/${id}/erase">Erase this person …</a></p>`;
}

function wayTo(
  target: string,
  delivery: Delivery,
  { id, now }: { readonly id: string; readonly now: number },
): Markup {
  const { state, attempts, omitted = 0 } = delivery;
  const steps = attempts.map(({ at, durationMs, result }) => {
    const words = result === "ok" ? "accepted" : reasonOf(result);
    const took = `${words}, after ${durationMs.toLocaleString("en")} ms`;
    return markup`<li class="${result === "ok" ? "ok" : "failed"}">${
      fullTime(at, now)
    }<br>${took}</li>`;
  });
  const gap = markup`<li>${omitted.toLocaleString("en")} more attempts</li>`;
  if (omitted > 0) steps.splice(Math.ceil(steps.length / 2), 0, gap);
  const end = state === "dead" ? "failed" : state === "delivered" ? "ok" : "";
  return markup`<h3>${written(target)} ${stateMark(state)}</h3>
<ol class="way">${steps}<li class="${end}">${outcome(delivery, now)}</li></ol>${
    sendForm(id, target)
  }`;
}

/** What comes next, or why nothing does. */
function outcome(delivery: Delivery, now: number): Markup {
  const { state, due, leased, attempts } = delivery;
  const tried = count(attemptCount(delivery), "attempt");
  if (state === "delivered") return markup`Delivered after ${tried}`;
  if (state === "dead") {
    return markup`Dead after ${tried}: ${reasonOf(attempts.at(-1)?.result ?? "failed")}`;
  }
  if (due < now - 60_000) {
    return markup`Overdue since ${fullTime(due, now)}: is the service running?`;
  }
  if (leased) return markup`An attempt may be in progress`;
  return due <= now ? markup`Due now` : markup`Next attempt ${fullTime(due, now)}`;
}

function sendForm(id: string, target: string): Markup {
  return markup`<form method="post" action="/leads/${id}/send"><button type="submit" name="to"
value="${target}">Send now<span class="said"> to ${target}</span></button></form>`;
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
