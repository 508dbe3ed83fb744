/** @module The maintenance of a store: the purge of many leads, and the daily rewrite of its file. */

import {
  deepStrictEqual as deepEqual,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { KvFailure } from "../../leads/kv/error_reasons.ts";
import { groupingAt } from "../../leads/kv/group_commit.ts";
import { keys } from "../../leads/kv/keys.ts";
import { rewriteFile } from "../../leads/kv/scrub_file.ts";
import type { Deliveries } from "../../leads/lead.ts";
import { putLead, recordOf } from "../support/delivering.ts";
import { countingKv, kvWith } from "../support/kv_with.ts";
import { startReceiver } from "../support/receiver.ts";
import { countKeys, leadOf, leaveBehind, statusesOf } from "../support/sent_leads.ts";
import { withFolder } from "../support/service.ts";
import { test } from "../support/store_world.ts";
import { startApp, type TestApp } from "../support/test_app.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DONE = () => Promise.resolve();

test("rewriteDaily() is due a day after the first start, then daily, and if its time is too far ahead", async ({ clock, kv, store, damage }) => {
  const hours: number[] = [];
  for (let hour = 0; hour <= 72; hour++) {
    if (await store.rewriteDaily(DONE)) hours.push(hour);
    clock.advance(60 * MINUTE);
  }
  deepEqual(hours, [24, 48, 72]);
  await kv.set(keys.rewrite(), clock.now() + DAY + 1);
  equal(await store.rewriteDaily(DONE), true);
  damage(keys.rewrite());
  equal(await store.rewriteDaily(DONE), false, "a damaged time is replaced");
  clock.advance(DAY);
  equal(await store.rewriteDaily(DONE), true);
});

test("rewriteDaily() runs in one of several processes, and again ten minutes after a failure", async ({ clock, store }) => {
  await store.rewriteDaily(DONE);
  clock.advance(DAY);
  const full = () => Promise.reject(new Error("the disk is full"));
  await rejects(store.rewriteDaily(full), /the disk is full/);
  clock.advance(9 * MINUTE);
  equal(await store.rewriteDaily(DONE), false);
  clock.advance(MINUTE);
  const ran = await Promise.all([1, 2, 3].map(() => store.rewriteDaily(DONE)));
  equal(ran.filter((one) => one).length, 1);
});

const env = { LEAD_RETENTION: "30d" };

/** Stores leads of 60 days ago with a retention of 90, which KV does not expire itself. */
async function putExpired(t: Pick<TestApp, "store" | "clock">, leads: number): Promise<void> {
  const receivedAt = t.clock.now() - 60 * DAY;
  const { lead } = recordOf({ message: "x".repeat(5_000) });
  await Promise.all(Array.from({ length: leads }, () => putLead(t, { receivedAt, lead })));
}

Deno.test("a purge takes five seconds of each minute", async () => {
  let tick = () => {};
  const wrapKv = (kv: Deno.Kv) =>
    kvWith(kv, {
      list(...args) {
        if (JSON.stringify(args[0]).includes('"lead"')) tick();
        return kv.list(...args);
      },
    });
  await using t = await startApp({ env, wrapKv });
  await putExpired(t, 250);
  await t.store.secret();
  tick = () => t.clock.advance(900); // a page of ten leads
  const left: number[] = [];
  for (let minute = 0; minute < 3; minute++) {
    await t.leads.runMaintenance();
    left.push(await countKeys(t, "lead"));
  }
  deepEqual(left, [190, 130, 70]);
  const purged = t.lines.filter(({ event }) => event === "leads.purged");
  deepEqual(purged.map(({ leads }) => leads), [60, 60, 60]);
});

Deno.test("during a purge of 2,000 leads, due leads are delivered and new ones accepted", async () => {
  await using receiver = startReceiver();
  await using dead = await leaveBehind(20, receiver.url);
  await using t = await startApp({ ...dead.options, env: { ...dead.options.env, ...env } });
  await putExpired(dead, 2_000);
  await t.leads.outbox.drain();
  t.clock.advance(60_000);
  let isPurging = true;
  const maintenance = t.leads.runMaintenance().then(() => isPurging = false);
  await receiver.arrived(20);
  ok(isPurging, "due leads do not wait for the purge");
  let accepted = 0;
  for (; isPurging; accepted++) {
    const address = `2001:db8:${accepted.toString(16)}::1`;
    deepEqual(await statusesOf([t.postLead(leadOf(1_000 + accepted), address)]), [200]);
  }
  await maintenance;
  ok(accepted > 5, `${accepted} leads during the purge`);
  equal(await countKeys(dead, "lead"), 20 + accepted);
});

const MOVED: Deliveries = { moved: { state: "delivered", due: 2, attempts: [] } };
const AGAIN: Deliveries = { again: { state: "waiting", due: 2, attempts: [] } };

/** The dead letters of expired leads, how many go, and what one becomes before the first commit. */
const PURGES: readonly [title: string, dead: number, purged: number, changed?: Deliveries][] = [
  ["leads are read ten at a time and purged in few commits", 0, 30],
  ["leads with more dead letters than fit into one commit are purged with all of them", 120, 30],
  ["a lead that changes during its purge is purged, like the others", 1, 30, MOVED],
  ["a lead that is sent again during its purge stays", 1, 29, AGAIN],
];

for (const [title, dead, purged, changed] of PURGES) {
  test(title, async (world) => {
    const { clock, store, storeWith, calls } = world;
    const letters = Array.from({ length: dead }, (_, n) => [
      `${n}`.padEnd(300, "x"),
      { state: "dead", due: 1, attempts: [] },
    ]);
    const deliveries: Deliveries = Object.fromEntries(letters);
    const receivedAt = clock.now() - 60 * DAY;
    const put = () => world.put({}, { receivedAt, deliveries });
    const [first] = await Promise.all(Array.from({ length: 30 }, put));
    world.beforeCommit(() => changed && store.change(first!, () => changed));
    calls.length = 0;
    // With two commits at once the lead may go before the first commit has changed it.
    const grouping = changed ? { flights: 1, most: 40 } : groupingAt("file");
    const { purge } = storeWith({ retentionMs: 30 * DAY, grouping });
    equal(await purge(), purged);
    const left = await Array.fromAsync(world.kv.list({ prefix: [] }), ({ key }) => key[1]);
    const kept = purged < 30 ? ["by_email", "count", "due", "lead", "same"] : [];
    deepEqual(new Set(left), new Set(["limit", ...kept]));
    // Two for the counters.
    equal(calls.filter((call) => call === "list").length, 4 + 2);
    // Ten, or some more if the reads of a page do not end together: not one for each of the 30.
    const commits = calls.filter((call) => call === "commit").length;
    if (dead === 0) ok(commits <= 15, `${commits} commits`);
  });
}

test("a lead that is past its retention but stays is read once in a purge", async ({ clock, storeWith, put, calls }) => {
  const receivedAt = clock.now() - 60 * DAY;
  const dead: Deliveries = { crm: { state: "dead", due: clock.now(), attempts: [] } };
  for (let n = 0; n < 10; n++) {
    await put({ crm: clock.now() }, { receivedAt });
    await put({}, { receivedAt, deliveries: dead });
  }
  calls.length = 0;
  equal(await storeWith({ retentionMs: 30 * DAY }).purge({ targets: ["crm"] }), 0);
  deepEqual(calls, ["list", "list", "list"]);
});

test("the purge looks at old leads again after a day, and after the clock was set back", async ({ clock, storeWith, put }) => {
  const { purge } = storeWith({ retentionMs: 30 * DAY });
  const put60 = () => put({}, { receivedAt: clock.now() - 60 * DAY });
  await put({ crm: clock.now() }, { receivedAt: clock.now() - 50 * DAY });
  equal(await purge(), 0);
  await put60();
  equal(await purge(), 0, "before the cursor");
  clock.advance(DAY);
  equal(await purge(), 1);
  await put60();
  clock.advance(-MINUTE);
  equal(await purge(), 1);
});

const SOON = { patienceMs: 100 };

Deno.test("rewriteFile() gives up on a locked file in time, without losing rows", () =>
  withFolder(async (folder) => {
    const file = `${folder}/kv.sqlite`;
    const kv = await Deno.openKv(file);
    await kv.set(["a"], 1);
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    await rejects(rewriteFile(file, SOON), new KvFailure("another process holds its lock"));
    other.exec("ROLLBACK; BEGIN; SELECT * FROM kv");
    // A reader needs the log, which cannot be truncated.
    await rejects(rewriteFile(file, SOON), new KvFailure("another process holds its lock"));
    other.close();
    await rewriteFile(file, SOON);
    equal((await kv.get(["a"])).value, 1);
    kv.close();
    const text = `${folder}/text`;
    await Deno.writeTextFile(text, "this is not a database, but long enough");
    await rejects(rewriteFile(text, SOON), new KvFailure("the file is not a database"));
  }));

Deno.test("while somebody reads the file, rewriteFile() blocks no write and makes the log longer once", () =>
  withFolder(async (folder) => {
    const file = `${folder}/kv.sqlite`;
    using kv = await Deno.openKv(file);
    for (let n = 0; n < 20; n++) await kv.set(["filler", n], new Uint8Array(60_000));
    using reader = new DatabaseSync(file); // as `sqlite3 FILE "SELECT …" | less` does
    reader.exec("BEGIN; SELECT * FROM kv");
    const sizes: number[] = [];
    for (const n of [1, 2]) {
      const locked = new KvFailure("another process holds its lock");
      const over = rejects(rewriteFile(file, { patienceMs: 1_000 }), locked).then(() => "over");
      await new Promise((resolve) => setTimeout(resolve, 300));
      equal(await Promise.race([kv.set(["lead", n], n).then(() => "written"), over]), "written");
      await over;
      sizes.push((await Deno.stat(`${file}-wal`)).size);
    }
    ok(sizes[1]! - sizes[0]! < 500_000, sizes.join());
  }));

Deno.test("rewriteFile() keeps all that changes meanwhile, twice at once and after one that died", () =>
  withFolder(async (folder) => {
    const file = `${folder}/kv.sqlite`;
    using kv = await Deno.openKv(file);
    const expected = new Map<number, string>();
    async function change(n: number): Promise<void> {
      const text = n % 3 === 0 ? undefined : `${n} `.repeat(n % 400);
      if (text === undefined) await kv.delete(["lead", n % 300]);
      else await kv.set(["lead", n % 300], text);
      if (text === undefined) expected.delete(n % 300);
      else expected.set(n % 300, text);
    }
    for (let n = 0; n < 600; n += 7) await change(n);
    {
      using died = new DatabaseSync(file);
      died.exec(`CREATE TABLE frontdoor_new AS SELECT * FROM kv;
        CREATE TABLE frontdoor_rewrite (owner TEXT, at INTEGER);
        INSERT INTO frontdoor_rewrite VALUES ('died', ${Date.now() - MINUTE});
        CREATE TABLE frontdoor_changed (k BLOB PRIMARY KEY);
        CREATE TRIGGER frontdoor_insert AFTER INSERT ON kv BEGIN
          INSERT INTO frontdoor_changed VALUES (new.k); END`);
    }
    let areOver = false;
    const both = Promise.all([rewriteFile(file), rewriteFile(file)]).finally(() => areOver = true);
    for (let n = 0; !areOver; n += 13) await change(n);
    await both;
    const found = await Array.fromAsync(kv.list<string>({ prefix: ["lead"] }));
    deepEqual(new Map(found.map(({ key, value }) => [Number(key[1]), value])), expected);
    using db = new DatabaseSync(file);
    const left = "SELECT name FROM sqlite_schema WHERE name LIKE 'frontdoor%'";
    deepEqual(db.prepare(left).all(), []);
    equal(db.prepare("PRAGMA integrity_check").get()?.["integrity_check"], "ok");
  }));

test("maintenance with nothing due writes nothing; docs/deno-deploy.md has the price of its reads", async ({ kv }) => {
  const reads: number[][] = [];
  for (const LEAD_TARGETS of ["https://a.invalid", "https://a.invalid https://b.invalid"]) {
    const calls: string[] = [];
    await using t = await startApp({ env: { LEAD_TARGETS }, wrapKv: () => countingKv(kv, calls) });
    await t.leads.runMaintenance();
    const first = calls.splice(0);
    await t.leads.runMaintenance();
    ok(![...first, ...calls].includes("commit"));
    reads.push([first.length, calls.length]);
  }
  deepEqual(reads, [[5, 3], [7, 5]]);
});
