/** @module Compares the answers of a service on a file with its database and its receiver. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import { type Ledger, storeOn } from "../support/ledger.ts";
import type { Receiver } from "../support/receiver.ts";
import { pause, until } from "../support/until.ts";
import { inconsistencies } from "./consistency.ts";

/** In the folder of a service. */
export const DATABASE = ".data/frontdoor.sqlite";

export const DRAIN_WITHIN_MS = 90_000;

/** Waits until the queue is empty and checks every answer. @returns the companies of the stored leads */
export async function verify(
  folder: string,
  { receiver, acknowledged, ledger }: {
    readonly receiver: Receiver;
    /** Numbers of the acknowledged requests. */
    readonly acknowledged: ReadonlySet<number>;
    readonly ledger: Ledger;
  },
): Promise<ReadonlySet<string>> {
  const kv = await Deno.openKv(`${folder}/${DATABASE}`);
  const store = storeOn(kv);
  try {
    const queues = { prefix: keys.queue("").slice(0, -1) };
    await until("the queue is empty", async () => {
      await pause(100);
      return (await Array.fromAsync(kv.list(queues, { limit: 1 }))).length === 0;
    }, DRAIN_WITHIN_MS);
    const received = receiver.received.filter((_, n) => acknowledged.has(n));
    deepEqual(await ledger.faults({ store, received }, { repeats: true }), []);
    deepEqual(await inconsistencies(kv), []);
    return new Set((await Array.fromAsync(store.all())).map(({ lead }) => lead.company));
  } finally {
    kv.close();
  }
}
