/** @module erase: nothing is left, no other lead is touched, and the operator is asked. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { KvFailure } from "../../../leads/kv/cause.ts";
import { keys } from "../../../leads/kv/keys.ts";
import { CRM, DAY, dead, delivered, dump, HOUR, MAIL, waiting, withCli } from "./fixture.ts";

const NOTHING = "  0 queue entries\n  0 dead letters\n";

Deno.test("erase leaves nothing that mentions the person, and no other lead is touched", () =>
  withCli(async ({ clock, kv, printed, put, store }) => {
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
    const traces = [first, second, index.email, "my secret", "Ada's"];
    for (const trace of traces) ok((await dump(kv)).includes(trace), trace);
    const other = await put({ lead: { email: "ada@example.org" } });

    equal(
      await printed("erase", "Ada@EXAMPLE.com", "--yes"),
      "Erased 2 leads of Ada@EXAMPLE.com\n  1 queue entry\n  2 dead letters\n  4 index entries\n",
    );
    const after = await dump(kv);
    for (const trace of traces) ok(!after.includes(trace), trace);
    ok(!/ada@example\.com/i.test(after));
    deepEqual((await store.get(other.id))!.lead, other.lead);
    const kinds = await Array.fromAsync(kv.list({ prefix: ["frontdoor1"] }), ({ key }) => key[1]);
    deepEqual(kinds.sort(), ["by_email", "lead", "limit", "limit", "limit", "same", "secret"]);
    equal(
      await printed("erase", "ada@example.com", "--yes"),
      `Erased 0 leads of ada@example.com\n${NOTHING}  0 index entries\n`,
    );
  }));

Deno.test("erase finds what comes in meanwhile and what is past its retention", () =>
  withCli(async (cli) => {
    await cli.put();
    cli.clock.advance(91 * DAY);
    equal((await Array.fromAsync(cli.store.all())).length, 0);
    const remove = cli.store.remove.bind(cli.store);
    let late = 2;
    cli.store.remove = async (id) => {
      if (late-- > 0) await cli.put();
      return await remove(id);
    };
    match(await cli.printed("erase", "ada@example.com", "--yes"), /^Erased 3 leads /);
    ok(!/ada@/.test(await dump(cli.kv)));
  }));

Deno.test("erase removes the index entry of a lead that KV has deleted already, and comes to an end", () =>
  withCli(async ({ kv, printed, put }) => {
    const { id, index } = await put();
    await kv.delete(keys.lead(id));
    equal(
      await printed("erase", "ada@example.com", "--yes"),
      `Erased 0 leads of ada@example.com\n${NOTHING}  1 index entry\n`,
    );
    ok(!(await dump(kv)).includes(index.email));
  }));

Deno.test("erase asks first, and not at all without a terminal", () =>
  withCli(async (cli) => {
    for (let n = 0; n < 2; n++) await cli.put();
    const count = async () => (await Array.fromAsync(cli.store.all())).length;
    const unable = await cli.run("erase", "ada@example.com");
    deepEqual([unable.code, unable.out, await count()], [2, "", 2]);
    match(unable.err, /cannot ask before erasing, with no terminal; --yes does not ask\n$/);
    const questions: string[] = [];
    cli.answer = (question) => questions.push(question) > 1;
    const refused = await cli.run("erase", "ada@example.com");
    deepEqual([refused.code, refused.out, refused.err], [1, "", "Nothing was erased.\n"]);
    equal(await count(), 2);
    equal((await cli.run("erase", "ada@example.com")).code, 0);
    equal(await count(), 0);
    equal((await cli.run("erase", "ada@example.com")).code, 0);
    const question = "Erase 2 leads of ada@example.com? It cannot be undone.";
    deepEqual(questions, [question, question]); // nothing to erase, nothing to ask
  }));

Deno.test("erase and purge fail if the file keeps what was removed", () =>
  withCli(async (cli) => {
    await cli.put();
    cli.leads.rewrite = () => Promise.reject(new KvFailure("the disk is full"));
    for (
      const [words, done] of [
        [["erase", "ada@example.com", "--yes"], "1 lead of ada@example.com erased"],
        [["purge"], "0 leads purged"],
      ] as const
    ) {
      const { code, out, err } = await cli.run(...words);
      deepEqual([code, out], [1, ""]);
      equal(
        err,
        `${done}, but the database's file could not be rewritten and may still hold what was ` +
          "removed: the disk is full. Run it again.\n",
      );
    }
  }));
