/** @module Refusals, dead letters and times to delivery are counted, whatever a flood costs elsewhere. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { percentile, stepOf, timeOf } from "../../leads/tallies.ts";
import { countingKv, dumpOf } from "../support/kv_with.ts";
import { startReceiver } from "../support/receiver.ts";
import { LEAD, startApp } from "../support/test_app.ts";

const HOUR = 3_600_000;

Deno.test("refusals of API and form are counted by reason and hour, with one commit of the maintenance", async () => {
  const calls: string[] = [];
  const wrapKv = (kv: Deno.Kv) => countingKv(kv, calls);
  await using t = await startApp({ wrapKv, env: { LEAD_ATTEMPT_LIMIT: "8/1m" } });
  const commits = async () => {
    calls.length = 0;
    await t.leads.runMaintenance();
    return calls.filter((call) => call === "commit").length;
  };
  await t.leads.runMaintenance(); // writes when the file is next rewritten
  equal(await commits(), 0, "nothing was refused");
  const email = "nobody@example.org";
  const bodies = [{ ...LEAD, email: "x" }, { ...LEAD, website: "spam", email }, "no object", {}];
  for (const body of bodies) await t.postLead(body);
  await t.request("/api/lead", { method: "POST", body: "{" });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const form = (body: string) => t.request("/contact", { method: "POST", headers, body });
  await form(`email=${email}&company=x&website=spam`);
  await form("email=x&company=x");
  await t.request("/contact", { method: "POST", headers: { origin: "https://evil.example" } });
  for (let n = 0; n < 2_000; n++) await t.postLead({});
  equal(await commits(), 1);
  equal(await commits(), 0);
  t.clock.advance(HOUR);
  await t.postLead({});
  equal(await commits(), 1);
  const counted = (await t.store.tallies("")).map(({ period, what, name, times }) =>
    [period, what, name, times].join(" ")
  );
  deepEqual(counted, [
    "2026-11-21T12 refused cross_site 1",
    "2026-11-21T12 refused honeypot 2",
    "2026-11-21T12 refused invalid_lead 4",
    "2026-11-21T12 refused rate_limited 2000",
    "2026-11-21T12 refused unsupported_media_type 1",
    "2026-11-21T13 refused invalid_lead 1",
  ]);
  ok(!(await dumpOf(t.kv)).includes(email));
});

Deno.test("a database that is away loses no count; what is past the retention is forgotten", async () => {
  let isAway = true;
  const wrapKv = (kv: Deno.Kv) =>
    new Proxy(kv, {
      get(_, name: keyof Deno.Kv) {
        if (isAway && name === "list") throw new Error("away");
        return typeof kv[name] === "function" ? (kv[name] as () => void).bind(kv) : kv[name];
      },
    });
  await using t = await startApp({ wrapKv, env: { LEAD_RETENTION: "48h" } });
  await t.postLead({});
  await t.leads.runMaintenance();
  equal(t.lines.filter(({ event }) => event === "leads.tallies_failed").length, 1);
  isAway = false;
  await t.postLead({});
  await t.leads.runMaintenance();
  deepEqual((await t.store.tallies("")).map(({ times }) => times), [2]);
  t.clock.advance(73 * HOUR);
  await t.postLead({});
  await t.leads.runMaintenance();
  deepEqual((await t.store.tallies("")).map(({ period }) => period), ["2026-11-24T13"]);
});

Deno.test("the time to delivery is counted by target and day, without leads that are sent again", async () => {
  await using receiver = startReceiver((n) => new Response(null, { status: n === 0 ? 503 : 204 }));
  await using t = await startApp({ env: { LEAD_TARGETS: `crm=${receiver.url}` } });
  await t.postLead(LEAD);
  t.clock.advance(10_000);
  await t.leads.outbox.drain();
  const [record] = await Array.fromAsync(t.store.all());
  equal(record!.deliveries["crm"]!.state, "delivered");
  await t.store.change(record!.id, ({ crm }) => ({
    crm: { ...crm!, state: "waiting", due: t.clock.now(), earlier: 2 },
  }));
  t.clock.advance(1_000);
  await t.leads.outbox.drain();
  equal(receiver.received.length, 3);
  await t.leads.stop(0);
  const tallies = (await t.store.tallies("")).filter(({ what }) => what === "delivered");
  equal(tallies.length, 1);
  const [{ period, name, step, times }] = tallies as [typeof tallies[0]];
  deepEqual([period, name, times], ["2026-11-21", "crm", 1]);
  ok(timeOf(step) >= 10_000 && timeOf(step) <= 15_000, `${timeOf(step)} ms`);
});

Deno.test("a percentile is the step that reaches it, at most two fifths above the exact time", () => {
  const exact = Array.from({ length: 1_000 }, (_, n) => 1 + n ** 2);
  const tallies = exact.map((ms) => ({
    period: "",
    what: "delivered" as const,
    name: "",
    step: stepOf(ms),
    times: 1,
  }));
  for (const share of [0.01, 0.5, 0.95, 1]) {
    const [found, real] = [percentile(tallies, share)!, exact[Math.ceil(share * 1_000) - 1]!];
    ok(found >= real - 1 && found <= real * Math.SQRT2 + 1, `${share}: ${found}, not ${real}`);
  }
  equal(percentile([], 0.5), undefined);
  deepEqual([0, 1, 2, 1_000].map(stepOf), [0, 0, 2, 20]);
});
