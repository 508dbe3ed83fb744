/** @module Several services that share one denokv, reached through a proxy, and one receiver. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { startDenokv } from "./denokv.ts";
import { KvProxy } from "./kv_proxy.ts";
import { storeOn } from "./kv_with.ts";
import { type Answer as Recorded, type Door, Ledger } from "./ledger.ts";
import { type Answer, startReceiver } from "./receiver.ts";
import { type Service, startService } from "./service.ts";

export type Machine = Service & Door;

export type Machines = Awaited<ReturnType<typeof startMachines>>;

/** Deno's KV client retries after 0.2 to 20 s. */
export const RECOVERY_MS = 60_000;

/** The ledger sets the clients' addresses. */
const ROOMY = {
  LEAD_RATE_LIMIT: "100000/10m",
  LEAD_ATTEMPT_LIMIT: "100000/10m",
  TRUSTED_PROXY_HOPS: "1",
};

export async function withMachines(
  test: (machines: Machines) => Promise<void>,
  answer?: Answer,
): Promise<void> {
  await using machines = await startMachines(answer);
  await test(machines);
}

async function startMachines(answer?: Answer) {
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
    /** Bypasses the proxy. */
    store: storeOn(kv),
    /** Starts a service behind the proxy, by default with the receiver as its target. */
    async start(env: Record<string, string> = {}): Promise<Machine> {
      const own = { KV_PATH: proxy.url, LEAD_TARGETS: receiver.url };
      const all = { ...ROOMY, ...denokv.env, ...own, ...env };
      const machine = { ...await startService(folder, all), targeted: all.LEAD_TARGETS !== "" };
      stack.defer(() => machine.end("SIGKILL").then(() => {}, () => {}));
      return machine;
    },
    /** Resolves when every answer is true and no delivery is queued. */
    async settle({ repeats = false } = {}): Promise<void> {
      const options = { receiver, repeats, withinMs: RECOVERY_MS };
      deepEqual(await ledger.settled(kv, options), []);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** `200 true`, `502` */
export function short({ status, delivered }: Recorded): string {
  return delivered === undefined ? String(status) : `${status} ${delivered}`;
}
