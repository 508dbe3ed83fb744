/** @module What store and log contain of a person, for how long, and what is sealed. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal, throws } from "node:assert/strict";
import { SAME_LEAD_MS } from "../../leads/lead.ts";
import { createPseudonyms } from "../../leads/pseudonyms.ts";
import { countKeys, theLead } from "../support/sent_leads.ts";
import { dumpOf } from "../support/kv_with.ts";
import { startHoldingReceiver, startReceiver } from "../support/receiver.ts";
import { test } from "../support/store_world.ts";
import { LEAD, startApp, type TestApp } from "../support/test_app.ts";
import { until } from "../support/until.ts";
import { CannotOpen, type Sealed, Sealer } from "../../leads/sealing.ts";
import type { SealingKey } from "../../config/settings.ts";

const DAY = 86_400_000;
const SEALED = { LEAD_ENCRYPTION_KEYS: `one:${new Uint8Array(32).fill(1).toBase64()}` };
const PERSON = ["ada.lovelace", "secret-company", "secret-message"];
const ADDRESS = ["203.0.113", "2001:db8:77"];

Deno.test("createPseudonyms() returns the names that existing databases contain", () => {
  const names = createPseudonyms(Uint8Array.from({ length: 32 }, (_, n) => n + 1));
  equal(names.address("203.0.113.9"), "wvZu-XN9YWojbM0Mn_gNpKzod2D3UP8k7HS6sdSoyi8");
  equal(names.email("Ada@example.com"), "pA3e484wdHy9sQlNHokbSnp_laeDWRXmMa2_8Ls7gm0");
  const text = { company: "Müller & Söhne", message: "Hello", plan: "pro", locale: "de" } as const;
  const content = { email: "Ada@example.com", ...text };
  equal(names.content(content), "l9Ow_pbri2CcD2nrCR28ZyXwigscTGP_pT3gPz5YWlM");
});

async function dump({ kv, lines }: TestApp): Promise<string> {
  return await dumpOf(kv) + JSON.stringify(lines);
}

async function kindsIn({ kv }: TestApp): Promise<unknown[]> {
  const kinds = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => key[1]);
  return [...new Set(kinds)].sort();
}

function traces(text: string, words: readonly string[]): string[] {
  return words.filter((word) => text.toLowerCase().includes(word));
}

async function erase({ store }: TestApp, email: string): Promise<number> {
  const names = createPseudonyms(await store.secret());
  const ids = await store.ofPerson(names.email(email));
  for (const id of ids) await store.remove(id);
  return ids.length;
}

Deno.test("KV has no address, sealed nothing of a person, nor has the log; erasure leaves nothing", async () => {
  for (const [env, found] of [[{}, PERSON], [SEALED, []]] as const) {
    const answer = (n: number) => new Response(null, { status: [204, 410, 503][n] ?? 503 });
    await using receiver = startReceiver(answer);
    await using t = await startApp({ env: { LEAD_TARGETS: receiver.url, ...env } });
    const text = { company: "secret-company", message: "secret-message" };
    const lead = { ...LEAD, email: "Ada.Lovelace@example.com", ...text };
    await t.postLead(lead, "203.0.113.7");
    await t.postLead(lead, "2001:db8:77::1");
    await t.postLead({ ...lead, message: "secret-message 2" }, "203.0.113.8");
    await t.postLead({ ...lead, message: "secret-message 3" }, "203.0.113.9");
    await t.postLead({ ...lead, plan: "secret-message" }, "203.0.113.9");
    await t.postLead({ ...lead, email: "ada.lovelace@example.invalid" }, "203.0.113.9");
    await until("every try is recorded", async () => {
      const leads = await Array.fromAsync(t.store.all());
      const deliveries = leads.flatMap((each) => Object.values(each.deliveries));
      return deliveries.every(({ attempts }) => attempts.length > 0);
    });
    ok(receiver.received.every(({ body }) => body.includes("secret-message")));

    // A hash of what a person wrote, without a key.
    const webhookIds = receiver.received.map(({ headers }) => headers["webhook-id"]!);
    equal(new Set(webhookIds).size, 3);
    deepEqual(traces(await dump(t), [...PERSON, ...ADDRESS, ...webhookIds]), found);
    deepEqual(traces(JSON.stringify(t.lines), PERSON), []);
    equal(await erase(t, "ADA.LOVELACE@example.com"), 3);
    deepEqual(await kindsIn(t), ["count", "limit", "pause", "secret"]);
    equal(await erase(t, "ada.lovelace@example.com"), 0);
    deepEqual(traces(await dump(t), PERSON), []);
  }
});

Deno.test("a lead erased during its delivery does not come back", async () => {
  await using receiver = startHoldingReceiver({
    answer: () => new Response(null, { status: 503 }),
  });
  await using t = await startApp({ env: { LEAD_TARGETS: receiver.url } });
  const answer = t.postLead(LEAD);
  await receiver.arrived(1);
  equal(await erase(t, LEAD.email), 1);
  receiver.release();
  await answer;
  await t.leads.outbox.stop(1_000);
  deepEqual([await countKeys(t, "lead"), await countKeys(t, "due")], [0, 0]);
});

Deno.test("removing an old lead keeps the index entry of a newer one with the same content", async () => {
  await using t = await startApp();
  for (const ms of [0, SAME_LEAD_MS + 1]) {
    t.clock.advance(ms);
    await t.postLead(LEAD);
  }
  await t.store.remove((await theLead(t)).id);
  await t.postLead(LEAD);
  equal(await countKeys(t, "lead"), 1);
});

test("a lead is absent at the end of its retention, also a shortened one, and is then purged", async ({ clock, store, storeWith, put }) => {
  const id = await put();
  const stores = [store, storeWith({ retentionMs: 2 * DAY })];
  const found = () =>
    Promise.all(stores.map(async (each) => [
      ...await Array.fromAsync(each.all(), (lead) => lead.id),
      (await each.get(id))?.id,
    ]));
  clock.advance(2 * DAY - 1);
  deepEqual(await found(), [[id, id], [id, id]]);
  clock.advance(1);
  deepEqual(await found(), [[id, id], [undefined]]);
  equal(await store.purge(), 0);
  clock.advance(88 * DAY);
  deepEqual(await found(), [[undefined], [undefined]]);
  equal(await store.purge(), 1);
  equal(await store.get(id, { expired: true }), null);
});

const OLD = { id: "2025", key: new Uint8Array(32).fill(1) };
const NEW = { id: "2026", key: new Uint8Array(32).fill(2) };
const CONTENT = { email: "ada@example.com", company: "Müller & Söhne 😀" };
const OWNER = "lead-1";
const seal = (...keys: SealingKey[]) => new Sealer(keys).seal<unknown>(CONTENT, OWNER) as Sealed;

Deno.test("Sealer.open() rejects another lead's id, a changed byte and a missing key", () => {
  const sealer = new Sealer([OLD]);
  throws(() => sealer.open<unknown>(seal(OLD), "lead-2"), CannotOpen);
  const changed = seal(OLD);
  changed.data[3]! ^= 1;
  throws(() => sealer.open<unknown>(changed, OWNER), CannotOpen);
  throws(() => new Sealer([NEW]).open<unknown>(seal(OLD), OWNER), /KEYS has no 2025$/);
});

Deno.test("Sealer opens with old keys and seals with the newest; without keys it seals nothing", () => {
  for (const [keys, own] of [[[NEW, OLD], "2026"], [[OLD], "2025"], [[], undefined]] as const) {
    const sealer = new Sealer(keys);
    equal(seal(...keys).key, own);
    equal(sealer.isCurrent(seal(...keys)), true);
    equal(sealer.isCurrent(seal(OLD)), own === "2025");
    deepEqual(sealer.open<unknown>(seal(...keys), OWNER), CONTENT);
    if (keys.length > 0) deepEqual(sealer.open<unknown>(seal(OLD), OWNER), CONTENT);
  }
});
