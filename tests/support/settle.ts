/** @module What the tests of several machines share: a pair of services, and the last word on a ledger. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { KvProxy } from "./kv_proxy.ts";
import { type Answer, Ledger } from "./ledger.ts";
import { type Machine, type Machines, withMachines } from "./machines.ts";
import { pause, until } from "./until.ts";

/** The client of KV Connect asks again after 0.2 to 20 s, depending on what has failed. */
export const RECOVERY_MS = 60_000;

/** A commit that got no answer lands so long after KV is back, at the most: the client repeats it. */
export const LANDING_MS = 8_000;

/** How to wait. */
export interface Settling {
  readonly machines: Machines;
  readonly ms?: number;
  /** Which requests the receiver has acknowledged, by number; all unless told otherwise. */
  readonly acknowledged?: (n: number) => boolean;
  /** Whether the receiver may have got a lead more than once. */
  readonly repeats?: boolean;
}

/** Resolves when all that was told is true and no job is left. */
export async function settle(
  ledger: Ledger,
  {
    machines: { store, receiver, queued },
    ms = RECOVERY_MS,
    acknowledged = () => true,
    repeats = false,
  }: Settling,
): Promise<void> {
  function faults(): Promise<string[]> {
    const received = receiver.received.filter((_, n) => acknowledged(n));
    return ledger.faults({ store, received }, { repeats });
  }
  try {
    await until("all answers are true", async () => {
      await pause(200);
      return await queued() === 0 && (await faults()).length === 0;
    }, ms);
  } catch { /* told below, in words */ }
  deepEqual(await faults(), []);
  equal(await queued(), 0);
}

/** An answer in short: `200 true`, `502`. */
export function said({ status, delivered }: Answer): string {
  return delivered === undefined ? String(status) : `${status} ${delivered}`;
}

/** A service with the receiver as its target, and one without any: what it is sent is stored or lost. */
export interface Pair {
  readonly targeted: Machine;
  readonly plain: Machine;
}

/** Starts both. */
export async function startPair({ start }: Machines): Promise<Pair> {
  const [targeted, plain] = await Promise.all([start(), start({ LEAD_TARGETS: "" })]);
  return { targeted, plain };
}

/** A pair at work, and a ledger that has a lead of each. */
export interface Paired extends Pair {
  readonly machines: Machines;
  readonly proxy: KvProxy;
  readonly ledger: Ledger;
}

/** Runs a test with a pair that has the making of the store's secret behind it. */
export function withPair(test: (paired: Paired) => Promise<void>): Promise<void> {
  return withMachines(async (machines) => {
    const { targeted, plain } = await startPair(machines);
    const ledger = new Ledger();
    const answers = [await ledger.post(targeted), await ledger.post(plain)];
    deepEqual(answers.map(said), ["200 true", "200 false"]);
    await test({ machines, proxy: machines.proxy, targeted, plain, ledger });
  });
}

/** Leads in KV. */
export async function recordsIn({ store }: Machines): Promise<number> {
  return (await Array.fromAsync(store.all())).length;
}

/** A commit is waited for 5 s, and so is the one look after it; the rest is for a busy machine. */
const ANSWERED_WITHIN_MS = 14_000;

/** Holds each answer against its deadline. */
export function inTime(...answers: readonly Answer[]): void {
  for (const answer of answers) {
    ok(answer.ms < ANSWERED_WITHIN_MS, `${said(answer)} after ${answer.ms} ms`);
  }
}

/** Tries until a lead is stored; what it is told meanwhile is in the ledger as well. */
export function stores(ledger: Ledger, machine: Machine): Promise<void> {
  return until("a lead is stored", async () => {
    await pause(500);
    return (await ledger.post(machine)).status === 200;
  }, RECOVERY_MS);
}
