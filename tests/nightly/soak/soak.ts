/** @module Traffic on two services while receiver, KV and services fail; compares answers with the store. */

import { inconsistencies } from "../../crash/consistency.ts";
import { startDenokv } from "../../support/denokv.ts";
import { KvProxy } from "../../support/kv_proxy.ts";
import { Ledger, mostIds } from "../../support/ledger.ts";
import { figuresOf, type ProcessFigures } from "../../support/process_figures.ts";
import { freePort, type Service, startService, withFolder } from "../../support/service.ts";
import { pause, until } from "../../support/until.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { type Destination, FaultyReceiver, SECRET, type Span, Traffic, warmUp } from "./traffic.ts";

interface Phase {
  readonly name: string;
  readonly seconds: number;
  readonly mood?: FaultyReceiver["mood"];
  readonly kv?: "slow" | "refusing" | "silent";
  readonly restart?: "SIGTERM" | "SIGKILL";
}

/** One round. KV is down for less than a lease (20 s). */
const ROUND: readonly Phase[] = [
  { name: "all well", seconds: 7 },
  { name: "receiver fails", seconds: 4, mood: "failing" },
  { name: "receiver is slow", seconds: 3, mood: "slow" },
  { name: "receiver is slow, kill -9", seconds: 5, mood: "slow", restart: "SIGKILL" },
  { name: "KV is slow", seconds: 3, kv: "slow" },
  { name: "KV refuses connections", seconds: 5, kv: "refusing" },
  { name: "receiver redirects", seconds: 3, mood: "redirecting" },
  { name: "KV is silent, receiver fails", seconds: 6, kv: "silent", mood: "failing" },
  { name: "restart", seconds: 4, restart: "SIGTERM" },
];
const ROUND_MINUTES = ROUND.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
const SLOW_KV_MS = 500;
/** The client of KV Connect retries after 0.2 to 20 s. */
const RECOVERY_MS = 60_000;
/** A broken connection may be noticed only at its next use. */
const AFTER_RESTART_MS = 1_000;
/** Services look for abandoned work every minute. */
const SETTLED_WITHIN_MS = 120_000;
const LOOK_MS = 1_000;
/** Limit of start and settlement. */
const BESIDE_TRAFFIC_MS = 600_000;
/** Half of Linux's default limit. */
const MOST_FILES = 512;
/** Limit of the memory of a run's last third, relative to the second. */
const FLAT = 1.15;
/** What no log may contain: content of leads, addresses, unexpected errors. */
const NOT_IN_A_LOG = /(?<!"you)@|(?:Company|Twice) \d|\b(?:10|192)(?:\.\d+){3}|request\.failed/;

export interface SoakReport {
  readonly figures: Readonly<Record<string, unknown>>;
  readonly promises: Readonly<Record<string, readonly string[]>>;
}

class Soaked implements Destination {
  readonly down: Span[] = [];
  readonly withoutKv: Span[] = [];
  readonly figures: ProcessFigures[] = [];
  readonly faults: string[] = [];
  #process: Service | undefined;

  constructor(
    readonly name: string,
    readonly url: string,
    readonly start: () => Promise<Service>,
  ) {}

  async begin(): Promise<void> {
    this.#process = await this.start();
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const ending = this.#process;
    if (ending === undefined) return;
    this.#process = undefined;
    const code = await ending.end(signal);
    if (signal === "SIGTERM" && code !== 0) this.faults.push(`${this.name} ended with ${code}`);
    if (NOT_IN_A_LOG.test(ending.output())) {
      this.faults.push(`${this.name} logged what it must not`);
    }
  }

  async measure(): Promise<void> {
    const now = this.#process && await figuresOf(this.#process.pid).catch(() => undefined);
    if (now !== undefined) this.figures.push(now);
  }
}

interface Soak {
  readonly services: readonly Soaked[];
  readonly receiver: Receiver;
  readonly faulty: FaultyReceiver;
  readonly proxy: KvProxy;
  readonly ledger: Ledger;
}

export async function runSoak(
  minutes: number,
  progress: (line: string) => void,
): Promise<SoakReport> {
  const withinMs = minutes * 60_000 + BESIDE_TRAFFIC_MS;
  const rounds = Math.max(1, Math.round(minutes / ROUND_MINUTES));
  const faulty = new FaultyReceiver();
  await using receiver = startReceiver((_n, one) => faulty.answer(one));
  await using denokv = await startDenokv({ withinMs });
  await using proxy = new KvProxy(denokv.url);
  return await withFolder(async (folder) => {
    const services = ["steady", "restarted"].map((name) => {
      const PORT = String(freePort());
      const kv = { ...denokv.env, KV_PATH: proxy.url };
      const target = { LEAD_TARGETS: receiver.url, LEAD_WEBHOOK_SECRET: SECRET };
      const env = { ...kv, ...target, PORT, TRUSTED_PROXY_HOPS: "1" };
      const start = () => startService(folder, env, { withinMs });
      return new Soaked(name, `http://127.0.0.1:${PORT}`, start);
    });
    const soak = { services, receiver, faulty, proxy, ledger: new Ledger() };
    try {
      for (const service of services) {
        await service.begin();
        await warmUp(service.url);
        await storesLeads(service, soak.ledger);
      }
      const traffic = new Traffic(services, soak.ledger);
      const watch = setInterval(() => services.forEach((one) => one.measure()), LOOK_MS);
      for (let round = 1; round <= rounds; round++) {
        for (const phase of ROUND) {
          traffic.phase = phase.name;
          progress(`${round}/${rounds} ${phase.name}; ${traffic.sent} requests sent`);
          await run(phase, soak);
        }
      }
      clearInterval(watch);
      await traffic.stop();
      progress("settling");
      return await settle(soak, { traffic, url: denokv.url });
    } finally {
      await Promise.all(services.map((service) => service.end("SIGKILL")));
    }
  });
}

async function run(
  { seconds, mood = "prompt", kv, restart }: Phase,
  { services, faulty, proxy, ledger }: Soak,
): Promise<void> {
  const over = pause(seconds * 1_000);
  const isAway = kv === "refusing" || kv === "silent";
  faulty.mood = mood;
  if (isAway) {
    for (const one of services) one.withoutKv.push({ from: Date.now(), to: Infinity });
  }
  if (kv === "slow") proxy.delay(SLOW_KV_MS);
  if (kv === "refusing") proxy.refuse();
  if (kv === "silent") proxy.fail("hang");
  if (restart !== undefined) {
    const service = services.at(-1)!;
    const from = Date.now();
    service.down.push({ from, to: Infinity });
    await service.end(restart);
    await service.begin();
    service.down.splice(-1, 1, { from, to: Date.now() + AFTER_RESTART_MS });
  }
  await over;
  if (kv === "refusing") proxy.accept();
  else proxy.heal();
  if (!isAway) return;
  // With the receiver failing, a 200 means that the lead was stored.
  faulty.mood = "failing";
  await Promise.all(services.map(async (service) => {
    await storesLeads(service, ledger);
    service.withoutKv.push({ from: service.withoutKv.pop()!.from, to: Date.now() });
  }));
}

function storesLeads({ name, url }: Soaked, ledger: Ledger): Promise<void> {
  return until(`${name} stores leads`, async () => {
    await pause(200);
    return (await ledger.post({ url, targeted: true })).status === 200;
  }, RECOVERY_MS);
}

/** Waits until everything is delivered, and compares every answer with the store and the receiver. */
async function settle(
  { services, receiver, faulty, ledger }: Soak,
  { traffic, url }: { readonly traffic: Traffic; readonly url: string },
): Promise<SoakReport> {
  using kv = await Deno.openKv(url);
  const began = Date.now();
  const { received, acknowledged } = receiver;
  const options = { receiver, repeats: true, withinMs: SETTLED_WITHIN_MS };
  const contradictions = await ledger.settled(kv, options);
  const seconds = Math.round((Date.now() - began) / 1_000);
  await Promise.all(services.map((service) => service.end("SIGTERM")));
  const ids = new Set(acknowledged.map(({ headers }) => headers["webhook-id"]));
  const isLarge = ({ descriptors }: ProcessFigures) => descriptors > MOST_FILES;
  const hasGrown = ({ name, figures }: Soaked) =>
    name === "steady" && !isFlat(figures.map(({ memory }) => memory));
  return {
    figures: {
      "requests": traffic.sent,
      "answers to leads, by status": ledger.tally,
      "leads delivered": ids.size,
      "deliveries beyond the first": acknowledged.length - ids.size,
      "tries failed by the receiver": received.length - acknowledged.length,
      "seconds until all was delivered": seconds,
      ...Object.fromEntries(services.map(({ name, figures, down }) => {
        const MiB = Math.round(Math.max(...figures.map(({ memory }) => memory)));
        const files = Math.max(...figures.map(({ descriptors }) => descriptors));
        return [`${name} service, at most`, { MiB, files, restarts: down.length }];
      })),
    },
    promises: {
      "Every answer is a documented one, and 502 comes for a lead without KV alone": Object
        .entries(traffic.faults).map(([what, times]) => `${what}, ${times} times`),
      "What was answered 200 is stored once and delivered, under one id": [
        ...contradictions,
        ...mostIds(received) > 1 ? ["a lead has several ids"] : [],
      ],
      "The database holds what its leads call for, and nothing else": await inconsistencies(kv),
      "Every delivery is signed": faulty.unsigned > 0 ? [`${faulty.unsigned} were not`] : [],
      "SIGTERM ends a service in order, and no log tells what it must not": services
        .flatMap(({ faults }) => faults),
      "Memory is flat, and open files stay few": services
        .filter((service) => hasGrown(service) || service.figures.some(isLarge))
        .map(({ name }) => name),
    },
  };
}

/** Whether a series has stopped growing; its first third is warm-up. */
export function isFlat(series: readonly number[]): boolean {
  const third = Math.floor(series.length / 3);
  const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[third >> 1] ?? NaN;
  return middle(series.slice(-third)) / middle(series.slice(third, 2 * third)) <= FLAT;
}
