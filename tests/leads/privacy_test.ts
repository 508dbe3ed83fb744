/** @module What the store and the log hold of a person, how long, and what is left after erasure. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { createKvStore } from "../../leads/kv/store.ts";
import type { LeadStore } from "../../leads/store.ts";
import { SAME_LEAD_MS } from "../../leads/kv/acceptance.ts";
import { createPseudonyms } from "../../leads/privacy.ts";
import { Sealer } from "../../leads/sealing.ts";
import { countKeys } from "../support/deliveries.ts";
import { withHoldingReceiver, withReceiver } from "../support/receiver.ts";
import { LEAD, type TestApp, withApp } from "../support/test_app.ts";
import { until } from "../support/until.ts";

const DAY = 86_400_000;
const KEY_1 = `one:${new Uint8Array(32).fill(1).toBase64()}`;
const KEY_2 = `two:${new Uint8Array(32).fill(2).toBase64()}`;

/** Traces of the person, of what was written and of where it came from. */
const PERSON = ["ada.lovelace", "secret-company", "secret-message"];
const ADDRESS = ["203.0.113", "2001:db8:77"];

/** Every key and value in KV, bytes as text, and every log line. */
async function dump({ kv, lines }: TestApp): Promise<string> {
  const decoder = new TextDecoder("latin1");
  const entries = await Array.fromAsync(kv.list({ prefix: [] }));
  return JSON.stringify(
    [entries, lines],
    (_, value) =>
      value instanceof Uint8Array
        ? decoder.decode(value)
        : typeof value === "bigint"
        ? String(value)
        : value,
  );
}

/** A run in which leads are stored, delivered, put off, given up, copied, refused and tested. */
async function fullRun(t: TestApp): Promise<void> {
  const lead = {
    ...LEAD,
    email: "Ada.Lovelace@example.com",
    company: "secret-company",
    message: "secret-message",
  };
  await t.postLead(lead, "203.0.113.7");
  await t.postLead(lead, "2001:db8:77::1");
  await t.postLead({ ...lead, plan: "pro" }, "203.0.113.8");
  await t.postLead({ ...lead, plan: "hosted" }, "203.0.113.9");
  await t.postLead({ ...lead, plan: "secret-message" }, "203.0.113.9");
  await t.postLead({ ...lead, email: "ada.lovelace@example.invalid" }, "203.0.113.9");
  await until(
    "every try noted",
    async () =>
      (await Array.fromAsync(t.store.all())).every(({ deliveries }) =>
        Object.values(deliveries).every(({ tries }) => tries.length > 0)
      ),
  );
}

/** Takes the first lead, refuses the second for good, and puts the third off. */
function mixed(n: number): Response {
  return new Response(null, { status: [204, 410, 503][n] ?? 503 });
}

function traces(text: string, words: readonly string[]): string[] {
  return words.filter((word) => text.toLowerCase().includes(word));
}

async function erase(t: TestApp, email: string): Promise<number> {
  const names = createPseudonyms(await t.store.secret());
  const ids = await t.store.ofPerson(names.email(email));
  for (const id of ids) await t.store.remove(id);
  return ids.length;
}

Deno.test("unsealed, KV and the log hold no IP address, and the log nothing of a person", () =>
  withReceiver((receiver) =>
    withApp(async (t) => {
      await fullRun(t);
      const text = await dump(t);
      deepEqual(traces(text, ADDRESS), []);
      deepEqual(traces(text, PERSON), PERSON, "the dump can see what is there");
      deepEqual(traces(JSON.stringify(t.lines), PERSON), []);
    }, { env: { LEAD_TARGETS: receiver.url } }), mixed));

Deno.test("sealed, KV and the log hold nothing of a person either", () =>
  withReceiver((receiver) =>
    withApp(async (t) => {
      await fullRun(t);
      deepEqual(traces(await dump(t), [...PERSON, ...ADDRESS]), []);
      equal((await Array.fromAsync(t.store.all())).length, 3);
      ok(receiver.received.every(({ body }) => body.includes("secret-message")));
    }, { env: { LEAD_TARGETS: receiver.url, LEAD_ENCRYPTION_KEYS: KEY_1 } }), mixed));

Deno.test("erasing a person leaves nothing, and erasing again finds nothing", () =>
  withReceiver((receiver) =>
    withApp(async (t) => {
      await fullRun(t);
      equal(await erase(t, "ADA.LOVELACE@example.com"), 3);
      const left = await Array.fromAsync(t.kv.list({ prefix: [] }));
      deepEqual([...new Set(left.map(({ key }) => key[1]))].sort(), ["limit", "secret"]);
      equal(await erase(t, "ada.lovelace@example.com"), 0);
      deepEqual(traces(await dump(t), PERSON), []);
    }, { env: { LEAD_TARGETS: receiver.url } }), mixed));

Deno.test("a lead erased while it is being delivered does not come back", () =>
  withHoldingReceiver((receiver) =>
    withApp(async (t) => {
      const answer = t.postLead(LEAD);
      await receiver.arrived(1);
      equal(await erase(t, LEAD.email), 1);
      receiver.release();
      await answer;
      await t.leads.outbox.stop(1_000);
      equal(await countKeys(t, "lead"), 0);
      equal(await countKeys(t, "due"), 0);
    }, { env: { LEAD_TARGETS: receiver.url } }), {
    answer: () => new Response(null, { status: 503 }),
  }));

Deno.test("removing an old lead leaves the copy marker of a newer one of the same content", () =>
  withApp(async (t) => {
    await t.postLead(LEAD);
    t.clock.advance(SAME_LEAD_MS + 1);
    await t.postLead(LEAD);
    const [old] = await Array.fromAsync(t.store.all());
    await t.store.remove(old!.id);
    await t.postLead(LEAD);
    equal((await Array.fromAsync(t.store.all())).length, 1);
  }));

Deno.test("a lead past its retention counts as absent at once and is purged with all that points to it", () =>
  withApp(async (t) => {
    await t.postLead(LEAD);
    t.clock.advance(DAY - 1);
    equal((await Array.fromAsync(t.store.all())).length, 1);
    t.clock.advance(1);
    deepEqual(await Array.fromAsync(t.store.all()), []);
    await t.leads.runMaintenance();
    const left = await Array.fromAsync(t.kv.list({ prefix: [] }));
    deepEqual([...new Set(left.map(({ key }) => key[1]))].sort(), ["limit", "secret"]);
    equal(t.lines.at(-1)?.event, "leads.purged");
  }, { env: { LEAD_RETENTION: "1d" } }));

Deno.test("a retention made shorter counts for leads that are there already", () =>
  withApp(async (t) => {
    await t.postLead(LEAD);
    t.clock.advance(2 * DAY);
    const shorter = createKvStore({
      open: () => Promise.resolve(t.kv),
      now: t.clock.now,
      sealer: new Sealer([]),
      retentionMs: DAY,
    });
    equal((await Array.fromAsync(t.store.all())).length, 1);
    deepEqual(await Array.fromAsync(shorter.all()), []);
    equal(await shorter.purge(10), 1);
  }));

Deno.test("resealing moves every lead and the store's secret to the newest key", () =>
  withApp(async (t) => {
    await t.postLead(LEAD);
    await t.postLead({ ...LEAD, plan: "pro" });
    const secret = await t.store.secret();

    function storeWith(keys: string): LeadStore {
      const entries = keys.split(" ").map((entry) => entry.split(":") as [string, string]);
      return createKvStore({
        open: () => Promise.resolve(t.kv),
        now: t.clock.now,
        sealer: new Sealer(entries.map(([id, key]) => ({ id, key: Uint8Array.fromBase64(key) }))),
        retentionMs: 90 * DAY,
      });
    }
    deepEqual(await storeWith(`${KEY_2} ${KEY_1}`).reseal(), { leads: 2, resealed: 2 });
    deepEqual(await storeWith(`${KEY_2} ${KEY_1}`).reseal(), { leads: 2, resealed: 0 });
    const alone = storeWith(KEY_2);
    equal((await Array.fromAsync(alone.all())).length, 2);
    deepEqual(await alone.secret(), secret);
  }, { env: { LEAD_ENCRYPTION_KEYS: KEY_1 } }));

Deno.test("a lead whose key is gone is reported, keeps no other lead waiting, and is not lost", () =>
  withReceiver((receiver) =>
    withApp(async (sealed) => {
      await sealed.leads.outbox.stop(0);
      await sealed.postLead(LEAD);
      const env = { LEAD_TARGETS: receiver.url, LEAD_ENCRYPTION_KEYS: KEY_2 };
      await withApp(async (t) => {
        await sealed.kv.delete(["frontdoor1", "secret"]);
        await t.leads.outbox.stop(0).then(() => t.postLead({ ...LEAD, plan: "pro" }));
        await withApp(async (worker) => {
          worker.clock.advance(20_000);
          await worker.leads.outbox.drain();
          equal(receiver.received.length, 1);
          equal(worker.lines.some(({ event }) => event === "delivery.cannot_open"), true);
          const due = await Array.fromAsync(worker.kv.list({ prefix: [] }));
          equal(due.length, 0, "the worker's own KV stays unused");
        }, { env, wrapKv: () => sealed.kv });
      }, { env, wrapKv: () => sealed.kv });
      equal(await countKeys(sealed, "due"), 1);
    }, { env: { LEAD_TARGETS: receiver.url, LEAD_ENCRYPTION_KEYS: KEY_1 } })
  ));
