/** @module Compares the answers of a service on a file with its database and its receiver. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { storeOn } from "../support/kv_with.ts";
import { type Ledger } from "../support/ledger.ts";
import type { Receiver } from "../support/receiver.ts";
import { inconsistencies } from "./consistency.ts";

export const DATABASE = ".data/frontdoor.sqlite";
export const DRAIN_WITHIN_MS = 90_000;

export async function verify(
  folder: string,
  { receiver, ledger }: { readonly receiver: Receiver; readonly ledger: Ledger },
): Promise<ReadonlySet<string>> {
  using kv = await Deno.openKv(`${folder}/${DATABASE}`);
  const options = { receiver, repeats: true, withinMs: DRAIN_WITHIN_MS };
  deepEqual(await ledger.settled(kv, options), []);
  deepEqual(await inconsistencies(kv), []);
  return new Set(await Array.fromAsync(storeOn(kv).all(), ({ lead }) => lead.company));
}
