/** @module Entries of earlier versions are still delivered, recognised, counted and erased. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { attemptsOf, type Deliveries, type Delivery, isDelivered } from "../../leads/lead.ts";
import { createPseudonyms } from "../../leads/privacy.ts";
import { statusesOf } from "../support/crowd.ts";
import { idsOf } from "../support/delivering.ts";
import { withReceiver } from "../support/receiver.ts";
import { LEAD, type TestApp, withApp } from "../support/test_app.ts";

const ROOT = "frontdoor1";
const DAY = 86_400_000;
const SECRET = new Uint8Array(32).fill(7);
const ID = "019aa6b1-7c00-7abc-8def-0123456789ab";

/** Writes a lead that waits for a target, of a client that is over its limit of one in 10 min. */
async function writeLead({ kv, clock }: TestApp, target: string): Promise<void> {
  const names = createPseudonyms(SECRET);
  const now = clock.now();
  const index = { same: names.content(LEAD), email: names.email(LEAD.email) };
  const tries = [{ at: now - 5_000, durationMs: 40, result: "http_503" }];
  await kv.atomic()
    .set([ROOT, "secret"], SECRET.toBase64())
    .set([ROOT, "rewrite"], now + DAY)
    .set([ROOT, "lead", ID], {
      id: ID,
      receivedAt: now - 5_000,
      expiresAt: now + 90 * DAY,
      content: LEAD,
      deliveries: { [target]: { state: "waiting", due: now, tries } },
      confirmed: true,
      index,
    })
    .set([ROOT, "due", target, now, ID], null)
    .set([ROOT, "same", index.same], { id: ID, until: now + DAY })
    .set([ROOT, "by_email", index.email, ID], null)
    .set([ROOT, "limit", names.address("192.0.2.1")], { arrival: now + 600_000 })
    .commit();
}

Deno.test("createPseudonyms() returns the names that existing databases contain", () => {
  const names = createPseudonyms(Uint8Array.from({ length: 32 }, (_, n) => n + 1));
  equal(names.address("203.0.113.9"), "wvZu-XN9YWojbM0Mn_gNpKzod2D3UP8k7HS6sdSoyi8");
  equal(names.email("Ada@example.com"), "pA3e484wdHy9sQlNHokbSnp_laeDWRXmMa2_8Ls7gm0");
  const text = { company: "Müller & Söhne", message: "Hello", plan: "pro", locale: "de" } as const;
  const content = { email: "Ada@example.com", ...text };
  equal(names.content(content), "l9Ow_pbri2CcD2nrCR28ZyXwigscTGP_pT3gPz5YWlM");
});

Deno.test("a lead written by an earlier version is limited, delivered, recognised and erased", () =>
  withReceiver(async (receiver) => {
    const [target] = await idsOf(receiver.url);
    await withApp(async (t) => {
      await writeLead(t, target!.formerId);
      deepEqual(await statusesOf([t.postLead({ ...LEAD, plan: "pro" })]), [429]);
      await t.leads.runMaintenance();
      equal(JSON.parse(receiver.received[0]!.body).data.id, ID);
      const copy = await t.postLead(LEAD, "192.0.2.2");
      deepEqual([copy.status, await copy.json()], [200, { ok: true, delivered: true }]);
      const [record, ...others] = await Array.fromAsync(t.store.all());
      deepEqual(record!.lead, LEAD);
      deepEqual(record!.deliveries[target!.id]!.tries.map(({ result }) => result), [
        "http_503",
        "ok",
      ]);
      deepEqual(others, []);

      deepEqual(await t.store.ofPerson(record!.index.email), [ID]);
      deepEqual(await t.store.remove(ID), { leads: 1, queued: 0, dead: 0, index: 2 });
      const left = await Array.fromAsync(t.kv.list({ prefix: [] }), ({ key }) => key[1]);
      deepEqual([...new Set(left)].sort(), ["limit", "rewrite", "secret", "stored_indexed"]);
    }, { env: { LEAD_TARGETS: receiver.url, LEAD_RATE_LIMIT: "1/10m" } });
  }));

/** Attempts that nearly fill a record. */
const MANY = 1_150;

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
  for (const [n, [company, deliveries]] of Object.entries(leads).entries()) {
    const id = `${ID.slice(0, -1)}${n}`;
    const lead = { ...LEAD, company };
    const index = { same: names.content(lead), email: names.email(LEAD.email) };
    const content = company.startsWith("sealed") ? await sealed(lead, id) : lead;
    const times = { receivedAt: now - DAY, expiresAt: now + 89 * DAY };
    const commit = kv.atomic()
      .set([ROOT, "lead", id], { id, ...times, deliveries, index, content })
      .set([ROOT, "by_email", index.email, id], null);
    for (const [target, { state, due }] of Object.entries(deliveries)) {
      if (state === "waiting") commit.set([ROOT, "due", target, due, id], null);
      if (state === "dead") commit.set([ROOT, "dead", target, id], null);
    }
    await commit.commit();
  }
}

Deno.test("all leads of a database from before targets had names are listed, counted, delivered and erased", () =>
  withReceiver(async (receiver) => {
    const companies = () => receiver.received.map(({ body }) => JSON.parse(body).data.company);
    const [target] = await idsOf(receiver.url);
    await withApp(async (t) => {
      const due = t.clock.now();
      const leads = leadsOf(target!.formerId, due);
      await writeLeads(t, leads);
      const stored = () => Array.fromAsync(t.store.all());
      deepEqual(await t.store.secret(), SECRET);
      const contents = Object.keys(leads).map((company) => ({ ...LEAD, company }));
      deepEqual((await stored()).map(({ lead }) => lead), contents);
      await t.leads.runMaintenance();
      deepEqual(companies().sort(), ["sealed and waiting", "tried often", "waiting"]);
      equal(await t.store.countStored(), 2);
      deepEqual(await t.store.queued(), ["webhook:gone.example:00000000"]);

      for (const { id, deliveries } of await stored()) {
        if (isDelivered(deliveries)) continue;
        await t.store.change(id, () => ({ crm: { state: "waiting", due, tries: [] } }));
      }
      await t.leads.runMaintenance();
      const records = await stored();
      equal(records.every(({ deliveries }) => isDelivered(deliveries)), true);
      deepEqual(companies().sort(), Object.keys(leads).filter((key) => key !== "delivered").sort());
      const attempts = records.flatMap(({ deliveries }) =>
        Object.values(deliveries).map(attemptsOf)
      );
      equal(Math.max(...attempts), MANY + 1);
      equal(await t.store.countStored(), 0);
      deepEqual(await t.store.queued(), []);

      for (const id of await t.store.ofPerson(records[0]!.index.email)) await t.store.remove(id);
      const left = await Array.fromAsync(t.kv.list({ prefix: [] }), ({ key }) => key[1]);
      deepEqual(left.sort(), ["secret", "stored_indexed"]);
    }, {
      env: {
        LEAD_TARGETS: `crm=${receiver.url}`,
        LEAD_ENCRYPTION_KEYS: `2025:${KEY.toBase64()}`,
      },
    });
  }));

const KEY = new Uint8Array(32).fill(1);

/** Seals as earlier versions did. */
async function sealed(value: unknown, owner: string) {
  const key = await crypto.subtle.importKey("raw", KEY, "AES-GCM", false, ["encrypt"]);
  const nonce = new Uint8Array(12).fill(9);
  const algorithm = { name: "AES-GCM", iv: nonce, additionalData: new TextEncoder().encode(owner) };
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const data = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, bytes));
  return { key: "2025", nonce, data };
}
