/** @module The lead limit after the clock was set back, the window shortened, or a bad time stored. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import { crowd, leadOf, statusesOf } from "../support/crowd.ts";
import { type TestApp, withApp } from "../support/test_app.ts";

const DAY = 86_400_000;
const INTERVAL = 30_000;

/** Another instance on the same KV with the same time. */
function withAnother(
  one: TestApp,
  test: (two: TestApp) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  return withApp((two) => {
    two.clock.advance(one.clock.now() - two.clock.now());
    return test(two);
  }, { env, wrapKv: () => one.kv });
}

/** The statuses of one client's leads, one after another. */
async function statusesFor({ postLead }: TestApp, ids: readonly number[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const id of ids) statuses.push(...await statusesOf([postLead(leadOf(id))]));
  return statuses;
}

Deno.test("a client that sent a lead while the clock was a day ahead waits for one interval", () =>
  withApp(async (t) => {
    t.clock.advance(DAY);
    deepEqual(await statusesFor(t, [1]), [200]);
    t.clock.advance(-DAY);
    const refused = await t.postLead(leadOf(99));
    equal(Number(refused.headers.get("retry-after")), INTERVAL / 1_000);
    t.clock.advance(INTERVAL);
    deepEqual(await statusesFor(t, [2, 3]), [200, 429]);
  }));

Deno.test("a shortened window applies to clients that have sent leads before", () =>
  withApp(async (t) => {
    const all = Array.from({ length: 21 }, (_, n) => n);
    deepEqual((await statusesFor(t, all)).at(-1), 429);
    await withAnother(t, async (two) => {
      deepEqual(await statusesFor(two, [31]), [429]);
      two.clock.advance(600_000);
      equal((await statusesOf(crowd(two, 20))).every((status) => status === 200), true);
      deepEqual((await statusesFor(two, all.map((n) => 40 + n))).indexOf(429), 20);
    }, { LEAD_RATE_LIMIT: "20/10m" });
  }, { env: { LEAD_RATE_LIMIT: "20/1d" } }));

/** Impossible stored times, and the status of the client's next lead. */
const IMPOSSIBLE: readonly (readonly [arrival: unknown, status: number])[] = [
  ...[NaN, -Infinity, -1, undefined, "soon"].map((arrival) => [arrival, 200] as const),
  ...[Infinity, Date.UTC(3000)].map((arrival) => [arrival, 429] as const),
];

for (const [arrival, status] of IMPOSSIBLE) {
  Deno.test(`a stored arrival time of ${arrival} is answered ${status}, and 200 after one interval`, () =>
    withApp(async (t) => {
      await statusesFor(t, [1]);
      const [limit] = await Array.fromAsync(t.kv.list({ prefix: keys.limit("").slice(0, -1) }));
      await t.kv.set(limit!.key, { arrival });
      await withAnother(t, async (two) => {
        deepEqual(await statusesFor(two, [2]), [status]);
        const { value } = await t.kv.get<{ arrival: number }>(limit!.key);
        equal(value!.arrival <= two.clock.now() + 600_000, true);
        two.clock.advance(INTERVAL);
        deepEqual(await statusesFor(two, [3]), [200]);
      });
    }));
}
