/**
 * @module KV that fails for half a minute, in each of the ways in which it can: during the outage
 * every sender gets an answer in time, afterwards all answers are true.
 *
 * Run by `deno task test:cluster`; the name ends without `_test` because `deno task test` must not
 * need denokv.
 */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Call, KvProxy } from "../support/kv_proxy.ts";
import type { Machine } from "../support/machines.ts";
import { inTime, LANDING_MS, said, settle, stores, withPair } from "../support/settle.ts";
import { pause } from "../support/until.ts";

const calls: readonly Call[] = ["read", "commit"];

function heal(proxy: KvProxy): void {
  proxy.heal();
}

type Change = (proxy: KvProxy) => void;

/** What happens to calls for a while, and how it ends. */
const OUTAGES: readonly (readonly [name: string, begin: Change, end: Change])[] = [
  ["refuses connections", (proxy) => proxy.refuse(), (proxy) => proxy.accept()],
  ["answers 503", (proxy) => proxy.fail("unavailable"), heal],
  ["closes connections", (proxy) => proxy.fail("cut"), heal],
  ["does not answer", (proxy) => proxy.fail("hang"), heal],
  ["carries calls out and closes connections", (proxy) => proxy.fail("lose", { calls }), heal],
  ["carries calls out and answers 503", (proxy) => proxy.fail("deny", { calls }), heal],
];

function fourTimes(machine: Machine): Machine[] {
  return Array(4).fill(machine);
}

for (const [name, begin, end] of OUTAGES) {
  Deno.test(`while KV ${name}, a lead is with its target or answered 502; afterwards it has one record and one id`, () =>
    withPair(async ({ machines, proxy, targeted, plain, ledger }) => {
      begin(proxy);
      const lost = await ledger.post(plain);
      equal(said(lost), "502");
      const [direct, ...lostNext] = await Promise.all(
        [targeted, ...fourTimes(plain)].map((machine) => ledger.post(machine)),
      );
      const directNext = await Promise.all(
        fourTimes(targeted).map((machine) => ledger.post(machine)),
      );
      deepEqual([direct!, ...directNext].map(said), Array(5).fill("200 true"));
      deepEqual(lostNext.map(said), Array(4).fill("502"));
      inTime(lost, direct!, ...lostNext, ...directNext);

      end(proxy);
      // Commits that the client has kept repeating land now; the services have to notice.
      await pause(LANDING_MS);
      await stores(ledger, plain);
      await stores(ledger, targeted);
      // What a target took directly and KV stores now is delivered again, under the same id.
      await settle(ledger, { machines, repeats: true });
    }));
}
