/** @module A database that is read but not written, as on a full disk, and a copy of a lead that it holds. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { nextTry, noted } from "../support/deliveries.ts";
import { kvWith } from "../support/kv_with.ts";
import { type Receiver, withReceiver } from "../support/receiver.ts";
import { LEAD, type TestApp, withApp } from "../support/test_app.ts";

/** Runs a test with a database that can be made unwritable; the receiver refuses so many tries. */
function withFullDisk(
  refusals: number,
  test: (full: { t: TestApp; receiver: Receiver; fill: () => void }) => Promise<void>,
): Promise<void> {
  let isFull = false;
  return withReceiver(
    (receiver) =>
      withApp((t) => test({ t, receiver, fill: () => isFull = true }), {
        env: { LEAD_TARGETS: receiver.url },
        wrapKv: (kv) => {
          let refused = false;
          return kvWith(kv, {
            commit: async (commit) => {
              // What SQLite refuses for a check it need not write.
              if (isFull && refused) throw new Error("database or disk is full");
              const result = await commit();
              refused = !result.ok;
              return result;
            },
          });
        },
      }),
    (n) => new Response(null, { status: n < refusals ? 503 : 204 }),
  );
}

Deno.test("a copy of a delivered lead gets the same answer, and no second delivery", () =>
  withFullDisk(0, async ({ t, receiver, fill }) => {
    equal((await t.postLead(LEAD)).status, 200);
    await noted(t, 1);
    fill();
    const copy = await t.postLead(LEAD);
    deepEqual([copy.status, await copy.json()], [200, { ok: true, delivered: true }]);
    equal(receiver.received.length, 1);
    const [failed] = t.lines.filter(({ event }) => event === "kv.failed");
    equal(failed?.["reason"], "the disk is full");
  }));

Deno.test("a copy of a lead that waits goes to the target as that lead", () =>
  withFullDisk(1, async ({ t, receiver, fill }) => {
    equal((await t.postLead(LEAD)).status, 200);
    await noted(t, 1);
    fill();
    const copy = await t.postLead(LEAD);
    deepEqual([copy.status, await copy.json()], [200, { ok: true, delivered: true }]);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    equal(ids.length, 2);
    equal(new Set(ids).size, 1);
    await nextTry(t);
  }));
