/** @module The lead limit after the clock was set back, or with a stored time beyond the window. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import { leadOf, statusesOf } from "../support/crowd.ts";
import { startApp, type TestApp } from "../support/test_app.ts";

const DAY = 86_400_000;
const INTERVAL = 30_000;

/** The statuses of one client's leads, one after another. */
async function statusesFor({ postLead }: TestApp, ids: readonly number[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const id of ids) statuses.push(...await statusesOf([postLead(leadOf(id))]));
  return statuses;
}

Deno.test("a client that sent a lead while the clock was a day ahead waits for one interval", async () => {
  await using t = await startApp();
  t.clock.advance(DAY);
  deepEqual(await statusesFor(t, [1]), [200]);
  t.clock.advance(-DAY);
  const refused = await t.postLead(leadOf(99));
  equal(Number(refused.headers.get("retry-after")), INTERVAL / 1_000);
  t.clock.advance(INTERVAL);
  deepEqual(await statusesFor(t, [2, 3]), [200, 429]);
});

/** Stored times that are impossible, or possible with a longer window, and the next lead's status. */
const STORED = [[undefined, 200], ["soon", 200], [Infinity, 429], [Date.UTC(3000), 429]] as const;

for (const [arrival, status] of STORED) {
  Deno.test(`a stored arrival time of ${arrival} is answered ${status}, and 200 after one interval`, async () => {
    await using t = await startApp();
    await statusesFor(t, [1]);
    const [limit] = await Array.fromAsync(t.kv.list({ prefix: keys.limit("").slice(0, -1) }));
    await t.kv.set(limit!.key, { arrival });
    {
      await using another = await startApp({ wrapKv: () => t.kv });
      deepEqual(await statusesFor(another, [2]), [status]);
      const { value } = await t.kv.get<{ arrival: number }>(limit!.key);
      equal(value!.arrival <= another.clock.now() + 600_000, true);
      another.clock.advance(INTERVAL);
      deepEqual(await statusesFor(another, [3]), [200]);
    }
  });
}
