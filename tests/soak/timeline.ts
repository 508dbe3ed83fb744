/** @module What goes wrong, and when: a round of faults, the same every time. */

import type { KvProxy } from "../support/kv_proxy.ts";
import type { Ledger } from "../support/ledger.ts";
import { RECOVERY_MS } from "../support/settle.ts";
import { until } from "../support/until.ts";
import { pause } from "../crash/random.ts";
import type { Signal, Soaked } from "./services.ts";
import type { Mood, Target } from "./target.ts";

/** A part of a round. What is not told is as it should be. */
interface Phase {
  readonly name: string;
  readonly seconds: number;
  readonly target?: Mood;
  readonly kv?: Trouble;
  readonly restart?: Signal;
}

/** What happens to KV, how it ends, and whether leads cannot be stored meanwhile. */
const KV_TROUBLES = {
  slow: { begin: (kv: KvProxy) => kv.delay(500), end: (kv: KvProxy) => kv.heal(), isAway: false },
  refusing: {
    begin: (kv: KvProxy) => kv.refuse(),
    end: (kv: KvProxy) => kv.accept(),
    isAway: true,
  },
  silent: {
    begin: (kv: KvProxy) => kv.fail("hang"),
    end: (kv: KvProxy) => kv.heal(),
    isAway: true,
  },
} as const;

type Trouble = keyof typeof KV_TROUBLES;

/**
 * KV is away for less than a lease (20 s), so that the gap that the README names does not open. When
 * it comes back the target is down: a lead that is then answered 200 has been stored.
 */
const ROUND: readonly Phase[] = [
  { name: "all well", seconds: 20 },
  { name: "target answers 500", seconds: 8, target: "failing" },
  { name: "target is slow", seconds: 6, target: "slow" },
  { name: "target is slow, kill -9", seconds: 8, target: "slow", restart: "SIGKILL" },
  { name: "target redirects", seconds: 4, target: "redirecting" },
  { name: "target refuses for good", seconds: 3, target: "gone" },
  { name: "restart", seconds: 8, restart: "SIGTERM" },
  { name: "target down", seconds: 10, target: "down" },
  { name: "KV slow", seconds: 8, kv: "slow" },
  { name: "KV refuses connections", seconds: 8, kv: "refusing" },
  { name: "KV refuses connections, target down", seconds: 9, kv: "refusing", target: "down" },
  { name: "KV comes back, target down", seconds: 4, target: "down" },
  { name: "KV silent", seconds: 6, kv: "silent" },
  { name: "KV silent, target down", seconds: 12, kv: "silent", target: "down" },
  { name: "KV comes back, target down", seconds: 4, target: "down" },
];

/** About as long as a round takes: KV's coming back takes some seconds longer than told. */
export const ROUND_MINUTES = 2;

/** What a round works on. */
export interface Stage {
  readonly services: readonly Soaked[];
  readonly target: Target;
  readonly proxy: KvProxy;
  readonly ledger: Ledger;
  /** Called at the beginning of each phase. */
  readonly onPhase: (name: string) => void;
}

/** Runs a round; afterwards all is well, apart from what KV has yet to make up for. */
export async function runRound(stage: Stage): Promise<void> {
  let kv: Trouble | undefined;
  for (const phase of ROUND) {
    stage.onPhase(phase.name);
    const over = pause(phase.seconds * 1_000);
    await stage.target.turn(phase.target ?? "up");
    if (phase.kv !== kv) await turnKv([kv, phase.kv], stage);
    kv = phase.kv;
    if (phase.restart !== undefined) await restart(phase.restart, stage);
    await over;
  }
  await stage.target.turn("up");
}

async function restart(signal: Signal, { services }: Stage): Promise<void> {
  const some = services.filter(({ steady }) => !steady);
  await Promise.all(some.map((service) => service.restart(signal)));
}

async function turnKv(
  [before, after]: readonly [Trouble | undefined, Trouble | undefined],
  { services, proxy, ledger }: Stage,
): Promise<void> {
  const machines = services.filter(({ store }) => store === "denokv");
  if (before !== undefined) KV_TROUBLES[before].end(proxy);
  if (before !== undefined && KV_TROUBLES[before].isAway) {
    await Promise.all(machines.map((machine) => storesAgain(machine, ledger)));
    for (const { withoutKv } of machines) {
      withoutKv.push({ from: withoutKv.pop()!.from, to: Date.now() });
    }
  }
  if (after === undefined) return;
  KV_TROUBLES[after].begin(proxy);
  if (!KV_TROUBLES[after].isAway) return;
  for (const { withoutKv } of machines) withoutKv.push({ from: Date.now(), to: Infinity });
}

/** Sends leads until one is taken. */
function storesAgain(machine: Soaked, ledger: Ledger): Promise<void> {
  return until(`${machine.name} stores leads again`, async () => {
    await pause(500);
    return (await ledger.post(machine)).status === 200;
  }, RECOVERY_MS);
}
