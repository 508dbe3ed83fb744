/** @module Entries of earlier versions are still delivered, recognised, counted and erased. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { attemptsOf, type Deliveries, type Delivery, isDelivered } from "../../leads/lead.ts";
import { createPseudonyms } from "../../leads/pseudonyms.ts";
import { statusesOf } from "../support/sent_leads.ts";
import { idsOf } from "../support/delivering.ts";
import { startReceiver } from "../support/receiver.ts";
import { LEAD, startApp, type TestApp } from "../support/test_app.ts";

const ROOT = "frontdoor1";
const DAY = 86_400_000;
const SECRET = new Uint8Array(32).fill(7);
const KEY = new Uint8Array(32).fill(1);
const MANY = 1_150;

Deno.test("createPseudonyms() returns the names that existing databases contain", () => {
  const names = createPseudonyms(Uint8Array.from({ length: 32 }, (_, n) => n + 1));
  equal(names.address("203.0.113.9"), "wvZu-XN9YWojbM0Mn_gNpKzod2D3UP8k7HS6sdSoyi8");
  equal(names.email("Ada@example.com"), "pA3e484wdHy9sQlNHokbSnp_laeDWRXmMa2_8Ls7gm0");
  const text = { company: "Müller & Söhne", message: "Hello", plan: "pro", locale: "de" } as const;
  const content = { email: "Ada@example.com", ...text };
  equal(names.content(content), "l9Ow_pbri2CcD2nrCR28ZyXwigscTGP_pT3gPz5YWlM");
});

/** A lead of each kind that the version before named targets could leave, by its company. */
function leadsOf(former: string, now: number): Record<string, Deliveries> {
  const tries = (length: number) =>
    Array.from({ length }, () => ({ at: now - DAY, durationMs: 15_000, result: "timeout" }));
  const waiting: Delivery = { state: "waiting", due: now - 1, tries: tries(1) };
  return {
    "without a target": {},
    "sealed without a target": {},
    waiting: { [former]: waiting },
    "sealed and waiting": { [former]: waiting },
    "tried often": { [former]: { ...waiting, tries: tries(MANY) } },
    dead: { [former]: { state: "dead", due: now - DAY, tries: tries(10) } },
    delivered: { [former]: { ...waiting, state: "delivered" } },
    "of a target that is gone": { "webhook:gone.example:00000000": waiting },
  };
}

/** Writes the entries that version 3263204 had, and none that later versions added. */
async function writeLeads({ kv, clock }: TestApp, leads: Record<string, Deliveries>) {
  const names = createPseudonyms(SECRET);
  const now = clock.now();
  await kv.set([ROOT, "secret"], await sealed(SECRET.toBase64(), "secret"));
  await kv.set([ROOT, "limit", names.address("192.0.2.1")], { arrival: now + 600_000 });
  for (const [n, [company, deliveries]] of Object.entries(leads).entries()) {
    const id = `019aa6b1-7c00-7abc-8def-0123456789a${n}`;
    const lead = { ...LEAD, company };
    const index = { same: names.content(lead), email: names.email(LEAD.email) };
    const content = company.startsWith("sealed") ? await sealed(lead, id) : lead;
    const times = { receivedAt: now - DAY, expiresAt: now + 89 * DAY };
    const commit = kv.atomic()
      .set([ROOT, "lead", id], { id, ...times, deliveries, index, content, confirmed: true })
      .set([ROOT, "same", index.same], { id, until: now + DAY })
      .set([ROOT, "by_email", index.email, id], null);
    for (const [target, { state, due }] of Object.entries(deliveries)) {
      if (state === "waiting") commit.set([ROOT, "due", target, due, id], null);
      if (state === "dead") commit.set([ROOT, "dead", target, id], null);
    }
    await commit.commit();
  }
}

Deno.test("leads from before targets had names are limited, recognised, listed, delivered and erased", async () => {
  await using receiver = startReceiver();
  const companies = () => receiver.received.map(({ body }) => JSON.parse(body).data.company);
  const [target] = await idsOf(receiver.url);
  await using t = await startApp({
    env: {
      LEAD_TARGETS: `crm=${receiver.url}`,
      LEAD_ENCRYPTION_KEYS: `2025:${KEY.toBase64()}`,
      LEAD_RATE_LIMIT: "1/10m",
    },
  });
  const due = t.clock.now();
  const leads = leadsOf(target!.formerId, due);
  await writeLeads(t, leads);
  const stored = () => Array.fromAsync(t.store.all());
  deepEqual(await t.store.secret(), SECRET);
  const contents = Object.keys(leads).map((company) => ({ ...LEAD, company }));
  deepEqual((await stored()).map(({ lead }) => lead), contents);
  deepEqual(await statusesOf([t.postLead(LEAD)]), [429]);
  await t.leads.runMaintenance();
  deepEqual(companies().sort(), ["sealed and waiting", "tried often", "waiting"]);
  const copy = await t.postLead({ ...LEAD, company: "waiting" }, "192.0.2.2");
  deepEqual([copy.status, await copy.json()], [200, { ok: true, delivered: true }]);
  deepEqual(await t.store.queued(), ["webhook:gone.example:00000000"]);

  for (const { id, deliveries } of await stored()) {
    if (isDelivered(deliveries)) continue;
    await t.store.change(id, () => ({ crm: { state: "waiting", due, tries: [] } }));
  }
  await t.leads.runMaintenance();
  const records = await stored();
  equal(records.every(({ deliveries }) => isDelivered(deliveries)), true);
  deepEqual(companies().sort(), Object.keys(leads).filter((key) => key !== "delivered").sort());
  const deliveries = records.flatMap(({ deliveries }) => Object.values(deliveries));
  equal(Math.max(...deliveries.map(attemptsOf)), MANY + 1);
  deepEqual(await t.store.queued(), []);

  for (const id of await t.store.ofPerson(records[0]!.index.email)) {
    equal(await t.store.remove(id), true);
  }
  const left = await Array.fromAsync(t.kv.list({ prefix: [] }), ({ key }) => key[1]);
  deepEqual([...new Set(left)].sort(), ["limit", "secret"]);
});

async function sealed(value: unknown, owner: string) {
  const key = await crypto.subtle.importKey("raw", KEY, "AES-GCM", false, ["encrypt"]);
  const nonce = new Uint8Array(12).fill(9);
  const algorithm = { name: "AES-GCM", iv: nonce, additionalData: new TextEncoder().encode(owner) };
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const data = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, bytes));
  return { key: "2025", nonce, data };
}
