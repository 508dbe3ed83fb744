/** @module retry: which deliveries become due, in the record and in the queue. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { CRM, dead, delivered, HOUR, MAIL, type TestCli, waiting, withCli } from "./fixture.ts";

const DUE = "The running service starts within a minute.\n";
const ONE = `Due now: 1 delivery. ${DUE}  ${CRM}  1\n`;
const NONE = "No delivery is dead.\n";
const NONE_OF_ONE = "No delivery is dead or waits.\n";

async function queued({ store, clock }: TestCli, target: string): Promise<string[]> {
  return (await store.due(target, { now: clock.now(), most: 100 })).map(({ id }) => id);
}

async function countDead({ kv }: TestCli): Promise<number> {
  return (await Array.fromAsync(kv.list({ prefix: ["frontdoor1", "dead"] }))).length;
}

function putDead({ put, clock }: TestCli) {
  const now = clock.now();
  return put({ ago: HOUR, deliveries: { [CRM]: dead(now), [MAIL]: delivered(now) } });
}

Deno.test("retry ID makes dead and waiting deliveries due now, except those under lease", () =>
  withCli(async (cli) => {
    const { id } = await putDead(cli);
    const other = await putDead(cli);
    equal(await cli.printed("retry", id.slice(-8)), ONE);
    deepEqual([await queued(cli, CRM), await queued(cli, MAIL)], [[id], []]);
    const now = cli.clock.now();
    deepEqual((await cli.store.get(id))!.deliveries[CRM], { ...dead(now), state: "waiting" });
    equal((await cli.store.get(other.id))!.deliveries[CRM]!.state, "dead");
    equal(await countDead(cli), 1);

    const late = await cli.put({ deliveries: { [CRM]: waiting(now + 20_001) } });
    const leased = await cli.put({ deliveries: { [CRM]: waiting(now + 20_000) } });
    const done = await cli.put({ deliveries: { [CRM]: delivered(now + HOUR) } });
    const stored = await cli.put();
    equal(await cli.printed("retry", late.id), ONE);
    const busy = "Left alone, as an attempt may be in progress: 1 delivery.\n";
    const send = `For 1 lead without a target: deno task leads send ${stored.id}\n`;
    equal(await cli.printed("retry", leased.id), busy);
    equal(await cli.printed("retry", done.id), NONE_OF_ONE);
    equal(await cli.printed("retry", stored.id), NONE_OF_ONE + send);
    deepEqual(await queued(cli, CRM), [id, late.id]);
    equal((await cli.run("retry", "ffff")).code, 1);
  }));

Deno.test("retry --dead makes all dead deliveries due, with --target those of one target", () =>
  withCli(async (cli) => {
    const now = cli.clock.now();
    const deliveries = { [CRM]: dead(now), [MAIL]: dead(now) };
    const one = await cli.put({ ago: HOUR, deliveries });
    const two = await cli.put({ deliveries });
    const three = await putDead(cli);
    await cli.put({ deliveries: { [CRM]: waiting(now + HOUR) } });
    const toMail = ONE.replace(CRM, MAIL);
    equal(await cli.printed("retry", one.id, "--target", MAIL), toMail);
    deepEqual(await queued(cli, MAIL), [one.id]);
    equal(await cli.printed("retry", "--dead", "--target", MAIL), toMail);
    deepEqual([await queued(cli, MAIL), await queued(cli, CRM)], [[one.id, two.id], []]);
    deepEqual(await cli.run("retry", "--dead", "--target", MAIL), { code: 1, out: "", err: NONE });
    for (const words of [["--dead"], [one.id]]) {
      const { code, err } = await cli.run("retry", ...words, "--target", "elsewhere");
      equal(code, 1);
      equal(err, `Cannot retry: no delivery has the target elsewhere; targets: ${CRM}, ${MAIL}\n`);
    }
    const out = await cli.printed("retry", "--dead");
    equal(out, `Due now: 3 deliveries. ${DUE}  ${CRM}  3\n`);
    deepEqual((await queued(cli, CRM)).sort(), [one.id, two.id, three.id].sort());
    equal(await countDead(cli), 0);
    for (let n = 0; n < 2; n++) await cli.put();
    const send = "For 2 leads without a target: deno task leads send --stored\n";
    equal(await cli.printed("retry", "--dead"), NONE + send);
  }));

Deno.test("retry counts only what it changed, if the service changes the lead meanwhile", () =>
  withCli(async (cli) => {
    const { id } = await putDead(cli);
    cli.overrideStore({
      async get(text) {
        const record = await cli.store.get(text);
        await cli.store.change(id, (deliveries) => ({ ...deliveries, [CRM]: delivered(1) }));
        return record;
      },
    });
    equal(await cli.printed("retry", id), NONE_OF_ONE);
    equal((await cli.store.get(id))!.deliveries[CRM]!.state, "delivered");

    const gone = await putDead(cli);
    await cli.store.remove(gone.id);
    cli.overrideStore({
      async *all() {
        yield gone;
      },
    });
    equal(await cli.printed("retry", "--dead"), NONE);
  }));
