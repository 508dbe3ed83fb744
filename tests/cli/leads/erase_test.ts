/** @module erase: nothing is left, no other lead is touched, and the operator is asked. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { KvFailure } from "../../../leads/kv/cause.ts";
import { keys } from "../../../leads/kv/keys.ts";
import { createPseudonyms } from "../../../leads/privacy.ts";
import {
  CRM,
  DAY,
  dead,
  delivered,
  dump,
  HOUR,
  MAIL,
  type TestCli,
  waiting,
  withCli,
} from "./fixture.ts";

/** What erase prints. */
function told(
  email: string,
  [leads, queued, dead, index]: readonly [string, string, string, string],
): string {
  return `Erased ${leads} of ${email}\n  ${queued}\n  ${dead}\n  ${index}\n`;
}

const NOTHING = ["0 leads", "0 queue entries", "0 dead letters", "0 index entries"] as const;

async function putTwo({ put, clock }: TestCli): Promise<string[]> {
  const now = clock.now();
  const first = await put({
    ago: DAY,
    lead: { company: "Ada's", message: "my secret" },
    deliveries: { [CRM]: dead(now), [MAIL]: waiting(now + HOUR) },
  });
  const second = await put({
    lead: { email: "ADA@Example.com" },
    deliveries: { [CRM]: dead(now), [MAIL]: delivered(now) },
  });
  return [first.id, second.id];
}

Deno.test("erase leaves nothing that mentions the person, and no other lead is touched", () =>
  withCli(async (cli) => {
    const ids = await putTwo(cli);
    const other = await cli.put({ lead: { email: "ada@example.org" } });
    const person = createPseudonyms(await cli.store.secret()).email("ada@example.com");
    const before = await dump(cli.kv);
    for (const trace of [person, "my secret", ...ids]) ok(before.includes(trace));

    const { code, out, err } = await cli.run("erase", "Ada@EXAMPLE.com", "--yes");
    deepEqual([code, err], [0, ""]);
    const counts = ["2 leads", "1 queue entry", "2 dead letters", "4 index entries"] as const;
    equal(out, told("Ada@EXAMPLE.com", counts));

    const after = await dump(cli.kv);
    ok(!/ada@example\.com/i.test(after));
    // Each id also names the client whose limit it counted against: that is the fixture's doing.
    const limits = (await Array.fromAsync(cli.kv.list({ prefix: ["frontdoor1", "limit"] }))).length;
    equal(limits, 3);
    for (const id of ids) equal(after.split(id).length - 1, 1);
    for (const trace of [person, "my secret", "Ada's"]) ok(!after.includes(trace), trace);
    ok(after.includes(other.id));
    equal((await cli.store.get(other.id))!.lead.email, "ada@example.org");
    const kinds = await Array.fromAsync(
      cli.kv.list({ prefix: ["frontdoor1"] }),
      ({ key }) => key[1],
    );
    deepEqual(kinds.sort(), ["by_email", "lead", "limit", "limit", "limit", "same", "secret"]);

    const again = await cli.run("erase", "ada@example.com", "--yes");
    deepEqual([again.code, again.out], [0, told("ada@example.com", NOTHING)]);
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
  withCli(async (cli) => {
    const { id } = await cli.put();
    await cli.kv.delete(keys.lead(id));
    const counts = ["0 leads", "0 queue entries", "0 dead letters", "1 index entry"] as const;
    equal(
      await cli.printed("erase", "ada@example.com", "--yes"),
      told("ada@example.com", counts),
    );
    const person = createPseudonyms(await cli.store.secret()).email("ada@example.com");
    ok(!(await dump(cli.kv)).includes(person));
  }));

Deno.test("erase asks first, and not at all without a terminal", () =>
  withCli(async (cli) => {
    await putTwo(cli);
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
