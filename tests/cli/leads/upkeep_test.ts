/** @module erase, purge and reseal. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { KvFailure } from "../../../leads/kv/error_reasons.ts";
import { keys } from "../../../leads/kv/keys.ts";
import { dumpOf } from "../../support/kv_with.ts";
import { CRM, DAY, dead, delivered, HOUR, MAIL, test, waiting } from "./fixture.ts";

const NOTHING = "0 leads of ada@example.com erased\n";
const OLD = { id: "k2025", key: new Uint8Array(32).fill(1) };
const NEW = { id: "k2026", key: new Uint8Array(32).fill(2) };

test("erase removes every trace of the person and no other lead", async ({ clock, kv, printed, put, store }) => {
  const now = clock.now();
  const { id: first, index } = await put({
    ago: DAY,
    lead: { company: "Ada's", message: "my secret" },
    deliveries: { [CRM]: dead(now), [MAIL]: waiting(now + HOUR) },
  });
  const { id: second } = await put({
    lead: { email: "ADA@Example.com" },
    deliveries: { [CRM]: dead(now), [MAIL]: delivered(now) },
  });
  const traces = [first, second, index.email, "my secret", "Ada's", "ada@example.com"];
  for (const trace of traces) ok((await dumpOf(kv)).includes(trace), trace);
  const other = await put({ lead: { email: "ada@example.org" } });
  equal(await printed("erase", "Ada@EXAMPLE.com", "--yes"), "2 leads of Ada@EXAMPLE.com erased\n");
  const after = await dumpOf(kv);
  for (const trace of traces) ok(!after.includes(trace), trace);
  deepEqual((await store.get(other.id))!.lead, other.lead);
  const kinds = await Array.fromAsync(kv.list({ prefix: ["frontdoor1"] }), ({ key }) => key[1]);
  const left = "by_email count count count lead limit limit limit same secret stored";
  equal(kinds.sort().join(" "), left);
  equal(await printed("erase", "ada@example.com", "--yes"), NOTHING);
});

test("erase finds leads that arrive meanwhile, expired ones, and index entries without a lead", async (cli) => {
  await cli.put();
  cli.clock.advance(91 * DAY);
  let late = 2;
  cli.overrideStore({
    async remove(id, person) {
      if (late-- > 0) await cli.put();
      return await cli.store.remove(id, person);
    },
  });
  match(await cli.printed("erase", "ada@example.com", "--yes"), /^3 leads of .* erased/);
  const { id } = await cli.put();
  await cli.kv.delete(keys.lead(id));
  equal(await cli.printed("erase", "ada@example.com", "--yes"), NOTHING);
  ok(!/ada@/.test(await dumpOf(cli.kv)));
});

test("erase asks first, and fails without a terminal", async (cli) => {
  for (let n = 0; n < 2; n++) await cli.put();
  const count = async () => (await Array.fromAsync(cli.store.all())).length;
  const unable = await cli.run("erase", "ada@example.com");
  deepEqual([unable.code, unable.out, await count()], [2, "", 2]);
  match(unable.err, /cannot ask for confirmation without a terminal; use --yes\n$/);
  const questions: string[] = [];
  cli.answer = (question) => questions.push(question) > 1;
  const refused = { code: 1, out: "", err: "Nothing was erased.\n" };
  deepEqual([await cli.run("erase", "ada@example.com"), await count()], [refused, 2]);
  for (let n = 0; n < 2; n++) await cli.printed("erase", "ada@example.com");
  const question = "Erase 2 leads of ada@example.com? It cannot be undone.";
  deepEqual([questions, await count()], [[question, question], 0]); // no question without a lead
});

test("erase, purge and reseal fail if the file cannot be rewritten", async (cli) => {
  await cli.put();
  cli.leads.rewrite = () => Promise.reject(new KvFailure("the disk is full"));
  const failed = ", but the database file could not be rewritten and may still contain what was " +
    "removed: the disk is full. Run it again.\n";
  const erased = await cli.run("erase", "ada@example.com", "--yes");
  deepEqual(erased, { code: 1, out: "", err: `1 lead of ada@example.com erased${failed}` });
  deepEqual(await cli.run("purge"), { code: 1, out: "", err: `0 leads purged${failed}` });
  deepEqual(await cli.run("reseal"), { code: 1, out: "", err: `0 leads of 0 resealed${failed}` });
});

test("purge removes all expired leads and counts them", async (cli) => {
  for (let n = 0; n < 3; n++) await cli.put({ ago: 10 * DAY });
  const { id } = await cli.put();
  cli.clock.advance(85 * DAY);
  cli.overrideStore({ purge: () => cli.store.purge({ until: 2 }) }); // as with thousands of leads
  equal(await cli.printed("purge"), "3 leads purged\n");
  deepEqual((await Array.fromAsync(cli.store.all())).map((lead) => lead.id), [id]);
});

test("reseal seals with the newest key and makes the old one unnecessary; a missing key is named", async (cli) => {
  const { id } = await cli.put({ lead: { message: "secret" } });
  for (let n = 0; n < 11; n++) await cli.put();
  cli.leads.store = cli.storeWith([OLD]);
  equal(await cli.printed("reseal"), "12 leads of 12 resealed\n");
  equal((await dumpOf(cli.kv)).includes("ada@example.com"), false);
  cli.leads.store = cli.storeWith([NEW]);
  const { code, err } = await cli.run("reseal");
  deepEqual([code, err], [1, "Cannot open what is sealed: LEAD_ENCRYPTION_KEYS has no k2025\n"]);
  match(await cli.printed("stats"), /^leads: 12\n/, "no key is needed");
  const stats = await cli.run("stats", "--since", "1d");
  deepEqual([stats.code, stats.out.split("\n")[0]], [1, "leads: 0"]);
  match(stats.err, /^12 leads skipped \(Cannot .* has no k2025\):( \S{36}){10} …\n$/);
  cli.leads.store = cli.storeWith([NEW, OLD]);
  for (const resealed of [12, 0]) {
    equal(await cli.printed("reseal"), `${resealed} leads of 12 resealed\n`);
  }
  cli.leads.store = cli.storeWith([NEW]);
  match(await cli.printed("show", id), /\nmessage: secret\n/);
});
