/** @module Several services that share one denokv, reached through a proxy, and one receiver. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { LeadStore } from "../../leads/ports.ts";
import { type Denokv, startDenokv } from "./denokv.ts";
import { KvProxy } from "./kv_proxy.ts";
import { storeOn } from "./kv_with.ts";
import { type Door, Ledger } from "./ledger.ts";
import { type Answer, type Receiver, startReceiver } from "./receiver.ts";
import { type Service, startService } from "./service.ts";

export type Machine = Service & Door;

export interface Machines extends AsyncDisposable {
  readonly denokv: Denokv;
  readonly proxy: KvProxy;
  readonly receiver: Receiver;
  readonly ledger: Ledger;
  /** Bypasses the proxy. */
  readonly store: LeadStore;
  /** Starts a service behind the proxy, by default with the receiver as its target. */
  start(env?: Record<string, string>): Promise<Machine>;
  /** Resolves when every answer is true and no delivery is queued. */
  settle(options?: { readonly repeats?: boolean; readonly withinMs?: number }): Promise<void>;
}

/** Deno's KV client retries after 0.2 to 20 s. */
export const RECOVERY_MS = 60_000;

/** The ledger sets the clients' addresses. */
const ROOMY = {
  LEAD_RATE_LIMIT: "100000/10m",
  LEAD_ATTEMPT_LIMIT: "100000/10m",
  TRUSTED_PROXY_HOPS: "1",
};

export async function startMachines(answer?: Answer): Promise<Machines> {
  const stack = new AsyncDisposableStack();
  const denokv = stack.use(await startDenokv());
  const proxy = stack.use(new KvProxy(denokv.url));
  const receiver = stack.use(startReceiver(answer));
  const kv = stack.use(await Deno.openKv(denokv.url));
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const ledger = new Ledger();
  return {
    denokv,
    proxy,
    receiver,
    ledger,
    store: storeOn(kv),
    async start(env = {}) {
      const own = { KV_PATH: proxy.url, LEAD_TARGETS: receiver.url };
      const all = { ...ROOMY, ...denokv.env, ...own, ...env };
      const machine = { ...await startService(folder, all), targeted: all.LEAD_TARGETS !== "" };
      stack.defer(() => machine.end("SIGKILL").then(() => {}, () => {}));
      return machine;
    },
    async settle({ repeats = false, withinMs = RECOVERY_MS } = {}) {
      deepEqual(await ledger.settled(kv, { receiver, repeats, withinMs }), []);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
