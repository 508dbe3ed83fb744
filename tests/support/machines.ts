/** @module Several services that share one denokv, reached through a proxy, and one receiver. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import { type Denokv, withDenokv } from "./denokv.ts";
import { type KvProxy, withKvProxy } from "./kv_proxy.ts";
import { type Answer as Recorded, type Door, Ledger, storeOn } from "./ledger.ts";
import { type Answer, type Receiver, withReceiver } from "./receiver.ts";
import { type Service, startService, withFolder } from "./service.ts";
import { pause, until } from "./until.ts";

export type Machine = Service & Door;

export type Machines = ReturnType<typeof machinesOf>;

interface Settling {
  readonly ms?: number;
  /** Whether the receiver acknowledged the n-th request; by default always. */
  readonly acknowledged?: (n: number) => boolean;
  readonly repeats?: boolean;
}

/** Deno's KV client retries after 0.2 to 20 s. */
export const RECOVERY_MS = 60_000;

/** The ledger sets the clients' addresses. */
const ROOMY = {
  LEAD_RATE_LIMIT: "100000/10m",
  LEAD_ATTEMPT_LIMIT: "100000/10m",
  TRUSTED_PROXY_HOPS: "1",
};

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

function machinesOf({ denokv, proxy, receiver, folder, kv, started }: {
  readonly denokv: Denokv;
  readonly proxy: KvProxy;
  readonly receiver: Receiver;
  readonly folder: string;
  readonly kv: Deno.Kv;
  readonly started: Machine[];
}) {
  const ledger = new Ledger();
  const store = storeOn(kv);

  const allQueues = { prefix: keys.queue("").slice(0, -1) };
  const queued = async () => (await Array.fromAsync(kv.list(allQueues))).length;
  return {
    denokv,
    proxy,
    receiver,
    ledger,
    /** Bypasses the proxy. */
    store,
    /** Starts a service behind the proxy, by default with the receiver as its target. */
    async start(env: Record<string, string> = {}): Promise<Machine> {
      const own = { KV_PATH: proxy.url, LEAD_TARGETS: receiver.url };
      const all = { ...ROOMY, ...denokv.env, ...own, ...env };
      const machine = { ...await startService(folder, all), targeted: all.LEAD_TARGETS !== "" };
      started.push(machine);
      return machine;
    },
    /** Resolves when every answer is true and no delivery is queued. */
    async settle(
      { ms = RECOVERY_MS, acknowledged = () => true, repeats = false }: Settling = {},
    ): Promise<void> {
      const received = () => receiver.received.filter((_, n) => acknowledged(n));
      const faults = () => ledger.faults({ store, received: received() }, { repeats });
      await until("all answers are true", async () => {
        await pause(200);
        return await queued() === 0 && (await faults()).length === 0;
      }, ms).catch(() => {}); // reported below
      deepEqual(await faults(), []);
      equal(await queued(), 0);
    },
  };
}

/** `200 true`, `502` */
export function short({ status, delivered }: Recorded): string {
  return delivered === undefined ? String(status) : `${status} ${delivered}`;
}
