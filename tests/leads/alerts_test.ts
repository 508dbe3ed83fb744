/** @module What operators are told: by which process, when, how often, and what a failure of it changes. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { parseConfig } from "../../config/config.ts";
import { lastTime } from "../../leads/alerts.ts";
import { SITE } from "../../schemas/site_data.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { withSmtpReceiver } from "../support/smtp_receiver.ts";
import { LEAD, startApp, type TestApp } from "../support/test_app.ts";

const MINUTE = 60_000;

/** Lets time pass with the maintenance of each `step`. */
async function wait({ clock, leads }: TestApp, minutes: number, step = 5): Promise<void> {
  for (let passed = 0; passed < minutes; passed += step) {
    clock.advance(step * MINUTE);
    await leads.runMaintenance();
  }
}

/** The messages without leads, each as its lines. */
function alertsAt({ received }: Receiver): string[][] {
  return received.map(({ body }) => JSON.parse(body).text as string)
    .filter((text) => text.startsWith(`*[${SITE.name}]`))
    .map((text) => text.split("\n").slice(1, -2));
}

function envOf(crm: Receiver, chat: Receiver, more: Record<string, string> = {}) {
  const LEAD_TARGETS = `crm=${crm.url} sales=slack+${chat.url}`;
  return { env: { LEAD_TARGETS, LEAD_ALERTS: "sales", ...more } };
}

Deno.test("a target that has failed for an hour is told once, by one of two processes, and so is its recovery", async () => {
  let status = 503;
  await using crm = startReceiver(() => new Response(null, { status }));
  await using chat = startReceiver();
  await using t = await startApp(envOf(crm, chat));
  await using other = await startApp({ ...envOf(crm, chat), wrapKv: () => t.kv });
  await t.leads.runMaintenance();
  await t.postLead(LEAD);
  await wait(t, 55);
  deepEqual(alertsAt(chat), []);
  for (let n = 0; n < 20; n++) {
    for (const app of [t, other]) app.clock.advance(app === t ? 5 * MINUTE : 0);
    other.clock.advance(t.clock.now() - other.clock.now());
    await Promise.all([t.leads.runMaintenance(), other.leads.runMaintenance()]);
  }
  const told = alertsAt(chat);
  equal(told.length, 1);
  match(told[0]![0]!, /^crm has failed since 2026-11-21T12:00Z .*\(503\)\): 1 lead waits$/);
  status = 204;
  await wait(t, 390, 30); // the next attempt may be six hours away
  deepEqual(alertsAt(chat).slice(1), [["crm accepts leads again"]]);
  deepEqual((await t.store.alerts()).value!.failing, {});
});

Deno.test("a pause that is left over does not tell that a target fails which has taken a lead since", async () => {
  await using crm = startReceiver();
  await using chat = startReceiver();
  await using t = await startApp(envOf(crm, chat));
  const since = t.clock.now();
  await t.store.setPause("crm", { until: since + 1, failures: 5, since }, null);
  t.clock.advance(MINUTE);
  await t.postLead(LEAD);
  await wait(t, 120);
  equal(crm.received.length, 1);
  deepEqual(alertsAt(chat), []);
});

Deno.test("dead letters are gathered and told once an hour at most; earlier ones are not news", async () => {
  await using crm = startReceiver(() => new Response(null, { status: 410 }));
  await using chat = startReceiver();
  await using t = await startApp(envOf(crm, chat));
  await t.leads.runMaintenance();
  await t.postLead(LEAD);
  await wait(t, 5);
  const list = "deno task leads list --state dead";
  const first = `1 lead is a dead letter at crm: ${list}`;
  deepEqual(alertsAt(chat), [[first]]);
  for (const company of ["Two", "Three"]) {
    await t.postLead({ ...LEAD, company });
    await wait(t, 10);
  }
  equal(alertsAt(chat).length, 1);
  await wait(t, 60);
  deepEqual(alertsAt(chat), [[first], [`2 leads are dead letters at crm: ${list}`]]);
  await using late = await startApp({ ...envOf(crm, chat), wrapKv: () => t.kv });
  late.clock.advance(t.clock.now() - late.clock.now());
  await late.leads.runMaintenance();
  equal(alertsAt(chat).length, 2);
});

Deno.test("stranded leads are told", async () => {
  await using crm = startReceiver();
  await using chat = startReceiver();
  await using before = await startApp({});
  await before.postLead(LEAD);
  await using t = await startApp({ ...envOf(crm, chat), wrapKv: () => before.kv });
  await t.leads.runMaintenance();
  await wait(t, 180);
  deepEqual(alertsAt(chat), [[
    "1 lead is stored and goes nowhere: deno task leads send --stored",
  ]]);
});

Deno.test("a message that nothing takes is sent again later, and delays no lead", async () => {
  let isDown = true;
  await using crm = startReceiver((_, { body }) =>
    new Response(null, { status: body.includes("Dead") ? 410 : 204 })
  );
  await using chat = startReceiver((_, { body }) => {
    const isAlert = body.includes(`[${SITE.name}]`);
    return new Response(null, { status: isAlert && isDown ? 500 : 200 });
  });
  await using t = await startApp(envOf(crm, chat));
  await t.leads.runMaintenance();
  await t.postLead({ ...LEAD, company: "Dead" });
  await wait(t, 30, 1);
  const failed = t.lines.filter(({ event }) => event === "alert.not_sent");
  ok(failed.length >= 5 && failed.length <= 7, `${failed.length} in half an hour`);
  deepEqual(await (await t.postLead(LEAD)).json(), { ok: true, delivered: true });
  isDown = false;
  await wait(t, 30, 1);
  equal(alertsAt(chat).length, failed.length + 1, "sent again until it was taken");
  const record = await Array.fromAsync(t.store.all());
  deepEqual(record.map(({ deliveries }) => deliveries["sales"]!.state), ["delivered", "delivered"]);
});

Deno.test("the digest comes once a day at its time in its zone, with counts and nothing of a lead", async () => {
  await using crm = startReceiver();
  await using chat = startReceiver();
  const LEAD_DIGEST = "15:00 Europe/Berlin";
  await using t = await startApp(envOf(crm, chat, { LEAD_DIGEST }));
  await t.leads.runMaintenance();
  await t.postLead(LEAD);
  await t.postLead({ ...LEAD, website: "spam" });
  await wait(t, 3 * 60);
  deepEqual(alertsAt(chat), [[
    "Leads: 0 on 2026-11-20, 1 so far on 2026-11-21 (UTC)",
    "Refused in 24 hours: honeypot 1",
    "Dead letters, of all leads: 0",
    "crm: well, 0 waiting",
    "sales: well, 0 waiting",
  ]]);
  await wait(t, 24 * 60, 30);
  equal(alertsAt(chat).length, 2);
});

Deno.test("a digest that is not taken repeats no alert", async () => {
  await using crm = startReceiver(() => new Response(null, { status: 410 }));
  const taken: string[] = [];
  let refused = 0;
  await using chat = startReceiver((_, { body }) => {
    const isRefused = body.includes("so far on") && refused++ === 0;
    if (!isRefused) taken.push(body);
    return new Response(null, { status: isRefused ? 500 : 200 });
  });
  await using t = await startApp(envOf(crm, chat, { LEAD_DIGEST: "12:05 UTC" }));
  await t.leads.runMaintenance();
  await t.postLead(LEAD);
  await wait(t, 60);
  const timesTold = (text: string) => taken.filter((body) => body.includes(text)).length;
  deepEqual([timesTold("is a dead letter at crm"), timesTold("so far on")], [1, 1]);
});

Deno.test("times that a clock which was ahead has left silence nothing", async () => {
  await using crm = startReceiver((_, { body }) =>
    new Response(null, { status: body.includes("Dead") ? 410 : 503 })
  );
  await using chat = startReceiver();
  await using t = await startApp(envOf(crm, chat, { LEAD_DIGEST: "15:00 UTC" }));
  await t.leads.runMaintenance();
  const { value, versionstamp } = await t.store.alerts();
  const ahead = t.clock.now() + 365 * 24 * 60 * MINUTE;
  const told = { ...value!, failing: { crm: ahead }, deadAt: ahead, digest: ahead };
  await t.store.setAlerts(told, versionstamp);
  await t.postLead({ ...LEAD, company: "Dead" });
  await t.postLead(LEAD);
  await wait(t, 5 * 60);
  const lines = alertsAt(chat).map(([line]) => line!.replace(/ (since|on) .*|:.*/, ""));
  deepEqual(lines, ["1 lead is a dead letter at crm", "crm has failed", "Leads"]);
});

Deno.test("processes with other targets do not tell a failure again", async () => {
  await using crm = startReceiver(() => new Response(null, { status: 503 }));
  await using chat = startReceiver();
  await using t = await startApp(envOf(crm, chat));
  const env = { LEAD_TARGETS: `sales=slack+${chat.url}`, LEAD_ALERTS: "sales" };
  await using other = await startApp({ env, wrapKv: () => t.kv });
  await t.postLead(LEAD);
  for (let n = 0; n < 40; n++) {
    for (const app of [t, other]) {
      app.clock.advance(5 * MINUTE);
      await app.leads.runMaintenance();
    }
  }
  const failures = alertsAt(chat).filter(([line]) => line!.startsWith("crm has failed"));
  equal(failures.length, 1);
});

Deno.test("lastTime() follows a zone through its change to summer time", () => {
  const at = (time: string) => Date.parse(time);
  const berlin = { hour: 8, minute: 0, zone: "Europe/Berlin" };
  equal(lastTime(berlin, at("2026-11-21T06:59:59Z")), at("2026-11-20T07:00:00Z"));
  equal(lastTime(berlin, at("2026-11-21T07:00:00Z")), at("2026-11-21T07:00:00Z"));
  equal(lastTime(berlin, at("2026-03-29T06:30:00Z")), at("2026-03-29T06:00:00Z"));
  const leftOut = { ...berlin, hour: 2, minute: 30 };
  equal(lastTime(leftOut, at("2026-03-29T00:00:00Z")), at("2026-03-28T01:30:00Z"));
  equal(lastTime(leftOut, at("2026-03-29T01:30:00Z")), at("2026-03-29T01:30:00Z"));
});

Deno.test("without LEAD_ALERTS nothing is read or written for alerts", async () => {
  await using t = await startApp({});
  await t.leads.runMaintenance();
  equal((await t.store.alerts()).versionstamp, null);
});

Deno.test("LEAD_ALERTS names targets that people read; LEAD_DIGEST needs one and a known zone", () => {
  const targets = "crm=https://crm.example sales=slack+https://chat.example/hook";
  const problemsOf = (LEAD_ALERTS: string, LEAD_DIGEST = "") => {
    try {
      parseConfig({ LEAD_TARGETS: targets, LEAD_ALERTS, LEAD_DIGEST });
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  equal(problemsOf("sales", "08:00 Europe/Berlin"), "");
  match(
    problemsOf("sales crm"),
    /LEAD_ALERTS entry 2 must be the name of a target .* mail or chat$/,
  );
  match(problemsOf("sale"), /LEAD_ALERTS entry 1 must be the name/);
  match(problemsOf("", "08:00 UTC"), /LEAD_DIGEST needs LEAD_ALERTS/);
  for (const digest of ["8:00 UTC", "24:00 UTC", "08:00", "08:00 Europe/Berlyn", "08:00  UTC"]) {
    match(problemsOf("sales", digest), /LEAD_DIGEST must be a time and an IANA time zone/, digest);
  }
});

Deno.test("a message by mail is plain text, and marked as automatic", () =>
  withSmtpReceiver(async ({ port, mails }) => {
    await using before = await startApp({});
    await before.postLead(LEAD);
    const LEAD_TARGETS = `ops=smtp://127.0.0.1:${port}?from=site@example.com&to=ops@example.com`;
    const env = { LEAD_TARGETS, LEAD_ALERTS: "ops" };
    await using t = await startApp({ env, wrapKv: () => before.kv });
    await t.leads.runMaintenance();
    deepEqual(mails.map(({ from, to }) => [from, to]), [["site@example.com", ["ops@example.com"]]]);
    const { mail, raw } = mails[0]!;
    const line = "1 lead is stored and goes nowhere: deno task leads send --stored";
    equal(mail.subject, `[${SITE.name}] ${line}`);
    match(mail.text!, new RegExp(`^${line}\\n\\nSee all of it: deno task inbox`));
    match(mail.messageId!, /@example\.com>$/);
    match(raw, /^Auto-Submitted: auto-generated\r$/m);
    equal(mail.html, undefined);
  }));
