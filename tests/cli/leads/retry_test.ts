/** @module retry: which deliveries become due, in the record and in the queue. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { LeadRecord } from "../../../leads/lead.ts";
import { CRM, dead, delivered, HOUR, MAIL, type TestCli, waiting, withCli } from "./fixture.ts";

const PICKED_UP = "the service takes it up within a minute.\n";

async function queued({ store, clock }: TestCli, target: string): Promise<string[]> {
  return (await store.due(target, { now: clock.now(), most: 100 })).map(({ id }) => id);
}

async function countDead({ kv }: TestCli): Promise<number> {
  return (await Array.fromAsync(kv.list({ prefix: ["frontdoor1", "dead"] }))).length;
}

async function putDead(cli: TestCli): Promise<LeadRecord> {
  const now = cli.clock.now();
  return await cli.put({ ago: HOUR, deliveries: { [CRM]: dead(now), [MAIL]: delivered(now) } });
}

Deno.test("retry ID makes what is dead due now, and keeps its tries", () =>
  withCli(async (cli) => {
    const { id } = await putDead(cli);
    const other = await putDead(cli);
    const out = await cli.printed("retry", id.slice(-8));
    equal(out, `1 delivery is due now; ${PICKED_UP}`);
    deepEqual(await queued(cli, CRM), [id]);
    deepEqual(await queued(cli, MAIL), []);
    const { deliveries } = (await cli.store.get(id))!;
    deepEqual(deliveries[CRM], { ...dead(cli.clock.now()), state: "waiting" });
    equal((await cli.store.get(other.id))!.deliveries[CRM]!.state, "dead");
    equal(await countDead(cli), 1);
  }));

Deno.test("retry ID makes due what waits, but not what an instance may be at", () =>
  withCli(async (cli) => {
    const now = cli.clock.now();
    const late = await cli.put({ deliveries: { [CRM]: waiting(now + HOUR) } });
    const leased = await cli.put({ deliveries: { [CRM]: waiting(now + 10_000) } });
    const done = await cli.put({ deliveries: { [CRM]: delivered(now) } });
    const stored = await cli.put();
    equal(await cli.printed("retry", late.id), `1 delivery is due now; ${PICKED_UP}`);
    match(await cli.printed("retry", leased.id), /^Nothing to retry: \w+ is under way or due/);
    match(await cli.printed("retry", done.id), /^Nothing to retry: \w+ has been delivered/);
    match(await cli.printed("retry", stored.id), /^Nothing to retry: no target was set/);
    deepEqual(await queued(cli, CRM), [late.id]);
    equal((await cli.run("retry", "ffff")).code, 1);
  }));

Deno.test("retry --dead makes all that is dead due, and nothing else", () =>
  withCli(async (cli) => {
    const now = cli.clock.now();
    const first = await putDead(cli);
    const both = await cli.put({ deliveries: { [CRM]: dead(now), [MAIL]: dead(now) } });
    await cli.put({ deliveries: { [CRM]: waiting(now + HOUR) } });
    const out = await cli.printed("retry", "--dead");
    match(
      out,
      /^3 deliveries of 2 leads are due now; the service takes them up within a minute\.\n$/,
    );
    deepEqual(await queued(cli, CRM), [first.id, both.id]);
    deepEqual(await queued(cli, MAIL), [both.id]);
    equal(await countDead(cli), 0);
    equal(await cli.printed("retry", "--dead"), "No delivery is dead.\n");
  }));

Deno.test("retry --target leaves the other targets alone", () =>
  withCli(async (cli) => {
    const now = cli.clock.now();
    const deliveries = { [CRM]: dead(now), [MAIL]: dead(now) };
    const one = await cli.put({ ago: HOUR, deliveries });
    const two = await cli.put({ deliveries });
    match(await cli.printed("retry", one.id, "--target", MAIL), /^1 delivery is due/);
    deepEqual(await queued(cli, MAIL), [one.id]);
    match(await cli.printed("retry", "--dead", "--target", MAIL), /^1 delivery is due/);
    deepEqual(await queued(cli, MAIL), [one.id, two.id]);
    deepEqual(await queued(cli, CRM), []);
    equal(
      await cli.printed("retry", "--dead", "--target", MAIL),
      `No delivery to ${MAIL} is dead.\n`,
    );
    for (const words of [["--dead"], [one.id]]) {
      const { code, err } = await cli.run("retry", ...words, "--target", "elsewhere");
      equal(code, 1);
      equal(
        err,
        `Cannot retry: no delivery goes to elsewhere; there are ${[CRM, MAIL].join(", ")}\n`,
      );
    }
  }));

Deno.test("retry counts what it changed, not what it had read before", () =>
  withCli(async (cli) => {
    const { id } = await putDead(cli);
    cli.stores.store = Object.assign(Object.create(cli.store), {
      all: () => cli.store.all(),
      async get(text: string) {
        const record = await cli.store.get(text);
        await cli.store.change(id, (deliveries) => ({ ...deliveries, [CRM]: delivered(1) }));
        return record;
      },
      change: cli.store.change.bind(cli.store),
    });
    match(await cli.printed("retry", id), /^Nothing to retry/);
    equal((await cli.store.get(id))!.deliveries[CRM]!.state, "delivered");
  }));

Deno.test("retry takes either an id or --dead", () =>
  withCli(async ({ run }) => {
    for (const words of [[], ["abc", "--dead"]]) {
      const { code, err } = await run("retry", ...words);
      equal(code, 2);
      match(err, /^Cannot retry: either ID or --dead; usage: [^\n]*\n$/);
    }
  }));
