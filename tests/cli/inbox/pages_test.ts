/** @module What the inbox shows and does. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { KvFailure } from "../../../leads/kv/error_reasons.ts";
import { STORED_FIELDS } from "../../../schemas/lead_fields.ts";
import { dead, delivered, HOUR, waiting } from "../leads/fixture.ts";
import { test } from "./fixture.ts";

const HIDDEN = ["\u202E", "\u200B", "\x07"];

test("markup, controls and direction marks in every field are shown and do nothing", async (inbox) => {
  const attack = `"><script>alert(1)</script><img src=x onerror=alert(2)>'\u202Egnp\u200B\x07&amp;`;
  const names = STORED_FIELDS.map(([name]) => name);
  const lead = Object.fromEntries(names.map((name) => [name, attack]));
  const { id } = await inbox.put({ lead: { ...lead, email: `${attack}@example.com` } });
  for (const path of ["/", "/leads", `/leads/${id}`, `/leads/${id}/erase`]) {
    const text = await inbox.page(path);
    ok(!["<script>", "<img", ...HIDDEN].some((one) => text.includes(one)), path);
    ok(text.includes("&lt;script&gt;"), path);
    ok(text.includes('<b class="unseen">U+202E</b>'), path);
    match(text, /<title>[A-Z][a-z ]+ · [^<]+<\/title>/, "which the browser remembers");
  }
});

test("the list filters by state, target, choices and text, newest first; addresses have none of the text", async (inbox) => {
  const now = inbox.clock.now();
  const day = 24 * HOUR;
  const first = { company: "First", plan: "pro" } as const;
  await inbox.put({ lead: first, deliveries: { crm: dead(1) }, ago: 9 * day });
  await inbox.put({ lead: { company: "Second" }, deliveries: { crm: delivered(1) }, ago: 5 * day });
  const both = { crm: delivered(1), mail: waiting(now + HOUR) };
  await inbox.put({ lead: { company: "Third", locale: "de" }, deliveries: both, ago: day });
  await inbox.put({ lead: { company: "Größe & Co" }, ago: HOUR });
  const companies = async (path: string) =>
    [...(await inbox.page(path)).matchAll(/(First|Second|Third|Größe)/g)].map(([name]) => name);
  deepEqual(await companies("/leads"), ["Größe", "Third", "Second", "First"]);
  deepEqual(await companies("/leads?state=dead"), ["First"]);
  deepEqual(await companies("/leads?state=waiting"), ["Third"]);
  deepEqual(await companies("/leads?state=stored"), ["Größe"]);
  deepEqual(await companies("/leads?target=crm&state=delivered"), ["Third", "Second"]);
  deepEqual(await companies("/leads?target=mail"), ["Third"]);
  deepEqual(await companies("/leads?plan=pro"), ["First"]);
  deepEqual(await companies("/leads?locale=de"), ["Third"]);
  deepEqual(await companies("/leads?state=nonsense&plan=hosted"), []);
  const found = await inbox.post("/filter", { text: "GRÖSSE", state: "" });
  match(found, /Größe/);
  ok(!found.includes("First"));
  const [, query] = found.match(/href="\/export\.csv(\?search=[\w-]+)"/)!;
  const csv = await inbox.page(`/export.csv${query}`);
  deepEqual(csv.split("\r\n").length, 3);
  match(csv, /^id,.*\r\n.*Größe & Co.*\r\n$/);
  const forgotten = await inbox.ask("/export.csv?search=guess");
  equal(forgotten.status, 500, "it would hold every lead");
  equal(forgotten.headers.get("content-disposition"), null, "a browser would save it as leads.csv");
  match(await forgotten.text(), /is forgotten: search again/);
  equal((await inbox.page("/export.jsonl?state=dead")).split("\n").length, 2);
});

test("pages of fifty follow each other until the oldest lead, also with a filter", async (inbox) => {
  const ids: string[] = [];
  for (let n = 120; n > 0; n--) {
    const deliveries = { crm: n % 2 === 0 ? dead(1) : delivered(1) };
    ids.unshift((await inbox.put({ deliveries, ago: n * HOUR })).id);
  }
  for (
    const [filter, expected] of [["", ids], [
      "?state=dead",
      ids.filter((_, n) => n % 2),
    ]] as const
  ) {
    const seen: string[] = [];
    for (let path: string | undefined = `/leads${filter}`; path !== undefined;) {
      const text = await inbox.page(path);
      seen.push(...[...text.matchAll(/<td><a href="\/leads\/([\w-]{36})"/g)].map(([, id]) => id!));
      path = text.match(/class="button" href="([^"]+)"/)?.[1]?.replaceAll("&amp;", "&");
    }
    deepEqual(seen, expected, filter);
  }
});

test("one lead has every attempt in words; it is sent again as by the CLI, leases and all", async (inbox) => {
  const now = inbox.clock.now();
  const deliveries = { crm: dead(now - HOUR) };
  const { id } = await inbox.put({ lead: { message: "One\nTwo" }, deliveries });
  const text = await inbox.page(`/leads/${id}`);
  match(text, /One\nTwo/);
  match(text, /dead after 1 attempt: [^<]+\(410\)/);
  const sent = await inbox.post(`/leads/${id}/send`, { to: "crm" });
  match(sent, /role="status"[^<]*><bdi>Due now: 1 delivery\. The running service starts/);
  equal((await inbox.store.get(id))!.deliveries["crm"]!.due, now);
  await inbox.store.change(id, ({ crm }) => ({
    crm: { ...crm!, due: now + 10_000, leased: true },
  }));
  match(await inbox.post(`/leads/${id}/send`, { to: "crm" }), /left alone, as an attempt may be/);
  const refused = await inbox.post(`/leads/${id}/send`, { to: "--dry-run" });
  match(refused, /role="alert"/);
  equal((await inbox.ask(`/leads/${id.replace(/.$/, "0")}x`)).status, 404);
});

test("leads that no target gets are named, and sent", async (inbox) => {
  const leads = [await inbox.put(), await inbox.put({ deliveries: { old: waiting(1) } })];
  const before = await inbox.page("/");
  match(before, /1 lead is stored and goes nowhere\./);
  match(before, /1 lead waits for old, which is not in LEAD_TARGETS\./);
  match(await inbox.post("/send", { from: "", to: "crm" }), /Due now: 1 delivery/);
  const after = await inbox.post("/send", { from: "old", to: "crm" });
  ok(!/goes nowhere|which is not in/.test(after));
  for (const { id } of leads) {
    deepEqual(Object.keys((await inbox.store.get(id))!.deliveries), ["crm"]);
  }
});

test("a person is erased after a question that says what will go", async (inbox) => {
  let rewritten = 0;
  inbox.leads.rewrite = () => Promise.resolve(void rewritten++);
  const email = "-ada@example.com"; // a valid address, like an option
  const put = async (email: string) => (await inbox.put({ lead: { email } })).id;
  const ids = [await put(email), await put(email)];
  const other = await put("grace@example.com");
  const question = await inbox.page(`/leads/${ids[0]}/erase`);
  match(question, /2 leads of <bdi>-ada@example\.com<\/bdi>/);
  for (const id of ids) ok(question.includes(id));
  match(await inbox.post(`/leads/${ids[0]}/erase`), /2 leads of -ada@example\.com erased/);
  for (const id of ids) equal(await inbox.store.get(id), null);
  ok(await inbox.store.get(other));
  ok(!(await inbox.page("/leads")).includes("-ada"), "the result is told once");
});

test("the overview counts from counters: leads, refusals, times, targets", async (inbox) => {
  const now = inbox.clock.now();
  await inbox.put({ deliveries: { crm: delivered(now) } });
  await inbox.put({ deliveries: { crm: waiting(now + HOUR) }, ago: HOUR });
  await inbox.store.addTallies([
    { period: "2026-11-21T11", what: "refused", name: "honeypot", step: 0, times: 4 },
    { period: "2026-11-20T11", what: "refused", name: "rate_limited", step: 0, times: 1_200 },
    { period: "2026-11-21", what: "delivered", name: "crm", step: 14, times: 18 },
    { period: "2026-11-21", what: "delivered", name: "crm", step: 24, times: 2 },
  ]);
  const text = (await inbox.page("/")).replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
  match(text, /Today 2 0 yesterday/);
  match(text, /Refused 4 in 24 hours/);
  match(text, /honeypot 4 4/);
  match(text, /rate_limited 0 1,200/);
  match(text, /crm waiting 1 since 1h ago in 1h 0 1 130 ms 4.1 s/);
  match(text, /2026-11-21 1 1 0 0 /, "the table of the plot");
});

test("leads that cannot be read are named; a database that is gone is told and comes back", async (inbox) => {
  const store = inbox.storeWith([{ id: "k", key: new Uint8Array(32) }]);
  const { id } = await inbox.put({ store });
  match(await inbox.page("/leads"), new RegExp(`1 lead cannot be read \\([^)]+\\): ${id}`));
  equal((await inbox.ask(`/leads/${id}`)).status, 500);
  const fail = () => Promise.reject(new KvFailure("no answer within 5000 ms"));
  inbox.overrideStore({ counts: fail });
  const down = await inbox.ask("/");
  equal(down.status, 503);
  match(await down.text(), /The database does not answer.*no answer within 5000 ms/s);
  inbox.leads.store = inbox.store;
  match(await inbox.page("/"), /<h1>Overview<\/h1>/);
});
