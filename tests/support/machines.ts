/** @module Several services on one denokv, a proxy in between and a receiver behind them. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import { createKvStore } from "../../leads/kv/store.ts";
import type { LeadStore } from "../../leads/store.ts";
import { Sealer } from "../../leads/sealing.ts";
import { type Denokv, withDenokv } from "./denokv.ts";
import { type KvProxy, withKvProxy } from "./kv_proxy.ts";
import { type Answer as Told, type Door, Ledger } from "./ledger.ts";
import { type Answer, type Receiver, withReceiver } from "./receiver.ts";
import { type Service, startService, withFolder } from "./service.ts";
import { pause, until } from "./until.ts";

/** A service that leads can be sent to. */
export type Machine = Service & Door;

/** What a test has in hand. */
export interface Machines {
  readonly denokv: Denokv;
  readonly proxy: KvProxy;
  readonly receiver: Receiver;
  readonly ledger: Ledger;
  /** What is in KV, read past the proxy. */
  readonly store: LeadStore;
  /** Starts a service behind the proxy; with the receiver as target unless told otherwise. */
  start(env?: Record<string, string>): Promise<Machine>;
  /** Resolves when all that was told is true and no delivery is queued. */
  settle(options?: Settling): Promise<void>;
}

/** How to wait. */
export interface Settling {
  readonly ms?: number;
  /** Which requests the receiver has acknowledged, by number; all unless told otherwise. */
  readonly acknowledged?: (n: number) => boolean;
  /** Whether the receiver may have got a lead more than once. */
  readonly repeats?: boolean;
}

/** The client of KV Connect asks again after 0.2 to 20 s, depending on what has failed. */
export const RECOVERY_MS = 60_000;

/** Limits out of the way; the client's address is told by the ledger. */
const ROOMY = {
  LEAD_RATE_LIMIT: "100000/10m",
  LEAD_ATTEMPT_LIMIT: "100000/10m",
  TRUSTED_PROXY_HOPS: "1",
};

/** Runs a test, and ends all that it has started. */
export function withMachines(
  test: (machines: Machines) => Promise<void>,
  answer?: Answer,
): Promise<void> {
  return withReceiver(
    (receiver) =>
      withDenokv((denokv) =>
        withKvProxy(denokv.url, (proxy) =>
          withFolder(async (folder) => {
            const started: Machine[] = [];
            const kv = await Deno.openKv(denokv.url);
            try {
              await test(machinesOf({ denokv, proxy, receiver, folder, kv, started }));
            } finally {
              kv.close();
              await Promise.all(started.map((machine) => machine.end("SIGKILL").catch(() => {})));
            }
          }))
      ),
    answer,
  );
}

function machinesOf({ denokv, proxy, receiver, folder, kv, started }:
  & Pick<Machines, "denokv" | "proxy" | "receiver">
  & { readonly folder: string; readonly kv: Deno.Kv; readonly started: Machine[] }): Machines {
  const ledger = new Ledger();
  const store = createKvStore({
    open: () => Promise.resolve(kv),
    now: Date.now,
    sealer: new Sealer([]),
    retentionMs: Infinity,
  });

  async function queued(): Promise<number> {
    const allQueues = { prefix: keys.queue("").slice(0, -1) };
    return (await Array.fromAsync(kv.list(allQueues))).length;
  }

  return {
    denokv,
    proxy,
    receiver,
    ledger,
    store,
    async start(env = {}) {
      const target = { KV_PATH: proxy.url, LEAD_TARGETS: receiver.url };
      const all = { ...ROOMY, ...denokv.env, ...target, ...env };
      const machine = { ...await startService(folder, all), targeted: all.LEAD_TARGETS !== "" };
      started.push(machine);
      return machine;
    },
    async settle({ ms = RECOVERY_MS, acknowledged = () => true, repeats = false } = {}) {
      function faults(): Promise<string[]> {
        const received = receiver.received.filter((_, n) => acknowledged(n));
        return ledger.faults({ store, received }, { repeats });
      }
      await until("all answers are true", async () => {
        await pause(200);
        return await queued() === 0 && (await faults()).length === 0;
      }, ms).catch(() => {}); // told below, in words
      deepEqual(await faults(), []);
      equal(await queued(), 0);
    },
  };
}

/** An answer in short: `200 true`, `502`. */
export function said({ status, delivered }: Told): string {
  return delivered === undefined ? String(status) : `${status} ${delivered}`;
}
