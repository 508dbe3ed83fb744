/**
 * @module How fast processes drain a queue of one denokv together, how often they want the same lead,
 * whether clocks that differ make them deliver one twice, and what a target gets while it is down. --leads
 */

import { ok, strictEqual as equal } from "node:assert/strict";
import { NEW_CLIENT } from "../../../leads/rate_limit.ts";
import { newRound } from "../../../leads/lead.ts";
import { createLeadIds } from "../../../leads/lead_id.ts";
import { start } from "../../support/command.ts";
import { recordOf } from "../../support/delivering.ts";
import { startDenokv } from "../../support/denokv.ts";
import { storeOn } from "../../support/kv_with.ts";
import { LEADS } from "../../support/many_leads.ts";
import { type Answer, startReceiver } from "../../support/receiver.ts";
import { pause } from "../../support/until.ts";
import type { DrainerCounts, DrainerOptions } from "./drainer.ts";

/** They are stored one by one. */
const leads = Math.ceil(LEADS / 10);

const DRAINER = new URL("drainer.ts", import.meta.url).pathname;
const CONFIG = new URL("../../deno.json", import.meta.url).pathname;

/** Until all processes have loaded their code. */
const LOADING_MS = 4_000;
const WITHIN_MS = 120_000;

/** Stores leads that are due. */
async function fill(kv: Deno.Kv): Promise<void> {
  const store = storeOn(kv);
  const newId = createLeadIds();
  const now = Date.now();
  for (let left = leads; left > 0; left -= 500) {
    await Promise.all(Array.from({ length: Math.min(500, left) }, () => {
      const id = newId(now);
      const index = { same: id, email: id };
      const times = { receivedAt: now, expiresAt: now + 86_400_000 };
      const deliveries = { crm: newRound(now - 1) };
      const record = { ...recordOf({ company: id }), id, index, ...times, deliveries };
      return store.accept({ client: id, state: NEW_CLIENT, seen: null }, record);
    }));
  }
}

/** Drains all leads, or for some seconds, with a process for each entry of `skewsMs`. */
async function drain(
  { skewsMs = [0], answer, seconds = Infinity }: {
    readonly skewsMs?: readonly number[];
    readonly answer: Answer;
    readonly seconds?: number;
  },
) {
  await using denokv = await startDenokv({ withinMs: 2 * WITHIN_MS });
  using kv = await Deno.openKv(denokv.url);
  await fill(kv);
  const times: number[] = [];
  await using receiver = startReceiver((n, request) => {
    times.push(performance.now());
    return answer(n, request);
  });
  const env = { KV_PATH: denokv.url, LEAD_TARGETS: `crm=${receiver.url}` };
  const beginAt = Date.now() + LOADING_MS;
  const drainers = skewsMs.map((skewMs) => {
    const words = JSON.stringify({ env, beginAt, skewMs } satisfies DrainerOptions);
    const line = [Deno.execPath(), "run", "-A", "-q", "--config", CONFIG, DRAINER, words];
    return start(line, { env: denokv.env });
  });
  const end = beginAt + Math.min(WITHIN_MS, seconds * 1_000);
  const ids = () => new Set(receiver.acknowledged.map(({ headers }) => headers["webhook-id"]));
  while (Date.now() < end && receiver.acknowledged.length < leads) await pause(50);
  await pause(1_000);
  const counts = await Promise.all(drainers.map(async ({ signal, finished, output }) => {
    signal("SIGTERM");
    await finished;
    return JSON.parse(output().trim().split("\n").at(-1)!) as DrainerCounts;
  }));
  const sum = (name: keyof DrainerCounts) => counts.reduce((all, each) => all + each[name], 0);
  const [attempts, delivered] = [receiver.received.length, ids().size];
  return {
    processes: skewsMs.length,
    attempts,
    delivered,
    twice: receiver.acknowledged.length - delivered,
    "a second": Math.round(delivered / ((times.at(-1)! - times[0]!) / 1_000)),
    commits: sum("commits"),
    "lost %": Math.round(1_000 * sum("lost") / sum("commits")) / 10,
  };
}

function after(ms: number): Answer {
  return async () => {
    if (ms > 0) await pause(ms);
    return new Response(null, { status: 204 });
  };
}

/** The most commits that may lose a race: beside other work a process holds what it has read longer. */
const MOST_LOST = 6;

Deno.test(`one and three processes drain ${leads} leads, each once`, async () => {
  const table = [];
  for (const ms of [0, 100]) {
    for (const skewsMs of [[0], [0, 0, 0], [-180_000, 0, 180_000]]) {
      const row = await drain({ skewsMs, answer: after(ms) });
      table.push({ "answer after ms": ms, "clocks apart": skewsMs[0] !== 0, ...row });
      equal(row.delivered, leads);
      ok(row.twice <= leads / 1_000, `${row.twice} leads twice`);
      ok(row["lost %"] <= MOST_LOST, `${row["lost %"]} % of the commits`);
    }
  }
  // deno-lint-ignore no-console -- figures to compare between nights
  console.table(table);
});

Deno.test(`a target that is down gets few attempts while ${leads} leads wait`, async () => {
  const table = [];
  for (const headers of [{}, { "retry-after": "3600" }]) {
    const answer = () => new Response(null, { status: 503, headers });
    const row = await drain({ skewsMs: [0, 0, 0], answer, seconds: 30 });
    table.push({ ...headers, seconds: 30, attempts: row.attempts });
    // What three processes have in flight at first, and one attempt after 0.1, 0.2 … 12.8 and 25.6 s.
    ok(row.attempts <= 3 * 8 + 9, `${row.attempts} attempts`);
  }
  // deno-lint-ignore no-console -- figures to compare between nights
  console.table(table);
});
