/** @module Several services on one denokv, a proxy in between and a receiver behind them. */

import { keys } from "../../leads/kv/keys.ts";
import { createKvStore } from "../../leads/kv/store.ts";
import type { LeadStore } from "../../leads/store.ts";
import { Sealer } from "../../leads/sealing.ts";
import { type Denokv, withDenokv } from "./denokv.ts";
import { type KvProxy, withKvProxy } from "./kv_proxy.ts";
import type { Door } from "./ledger.ts";
import { type Answer, type Receiver, withReceiver } from "./receiver.ts";
import { type Service, startService, withFolder } from "./service.ts";

/** A service that leads can be sent to. */
export type Machine = Service & Door;

/** What a test has in hand. */
export interface Machines {
  readonly denokv: Denokv;
  readonly proxy: KvProxy;
  readonly receiver: Receiver;
  /** What lies in KV, read past the proxy. */
  readonly store: LeadStore;
  /** Jobs in all queues, read past the proxy. */
  queued(): Promise<number>;
  /** Starts a service behind the proxy; with the receiver as target unless told otherwise. */
  start(env?: Record<string, string>): Promise<Machine>;
}

/** Limits out of the way; the client's address is told by the ledger. */
const ROOMY = {
  LEAD_RATE_LIMIT: "100000/10m",
  LEAD_ATTEMPT_LIMIT: "100000/10m",
  TRUSTED_PROXY_HOPS: "1",
};

const DAY_MS = 86_400_000;

/** Runs a test, and ends whatever it has started. */
export function withMachines(
  test: (machines: Machines) => Promise<void>,
  answer?: Answer,
): Promise<void> {
  return withReceiver(
    (receiver) =>
      withDenokv((denokv) =>
        withKvProxy(
          denokv.url,
          (proxy) => withFolder((folder) => run(test, { denokv, proxy, receiver, folder })),
        )
      ),
    answer,
  );
}

async function run(
  test: (machines: Machines) => Promise<void>,
  { denokv, proxy, receiver, folder }:
    & Pick<Machines, "denokv" | "proxy" | "receiver">
    & { readonly folder: string },
): Promise<void> {
  const started: Machine[] = [];
  const kv = await Deno.openKv(denokv.url);

  async function start(env: Record<string, string> = {}): Promise<Machine> {
    const all = {
      ...ROOMY,
      ...denokv.env,
      KV_PATH: proxy.url,
      LEAD_TARGETS: receiver.url,
      ...env,
    };
    const machine = { ...await startService(folder, all), targeted: all.LEAD_TARGETS !== "" };
    started.push(machine);
    return machine;
  }

  async function queued(): Promise<number> {
    const allQueues = { prefix: keys.queue("").slice(0, -1) };
    return (await Array.fromAsync(kv.list(allQueues))).length;
  }

  try {
    const store = createKvStore({
      open: () => Promise.resolve(kv),
      now: Date.now,
      sealer: new Sealer([]),
      retentionMs: 90 * DAY_MS,
    });
    await test({ denokv, proxy, receiver, store, queued, start });
  } finally {
    kv.close();
    await Promise.all(started.map(endHard));
  }
}

/** Without waiting for calls that the test has made impossible; the test may have ended it already. */
async function endHard(service: Service): Promise<void> {
  try {
    await service.end("SIGKILL");
  } catch { /* it has ended */ }
}
