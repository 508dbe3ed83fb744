/**
 * @module What growth costs: `deno task bench:growth`.
 *
 * Real services on SQLite files, side by side in one run and in turn, so that the machine's noise
 * meets all alike: the time to accept a lead with 0, 10,000 and 100,000 waiting, the rate of a drain,
 * and what a drain does to other requests. Then, in this process, the limiter's memory with a million
 * addresses. Round trips to KV are asserted by `tests/leads/intake_test.ts`.
 */

// deno-lint-ignore-file no-console -- a program that prints

import { Clients } from "../../leads/clients.ts";
import { type Service, startService } from "../support/service.ts";
import { withReceiver } from "../support/receiver.ts";
import { fill } from "./fill.ts";

const ROUNDS = 12;
const POSTS_A_ROUND = 100;
const WAITING = [0, 10_000, 100_000];
const ADDRESSES = 1_000_000;

/** Far more than any service here is sent. */
const ROOMY = { LEAD_RATE_LIMIT: "900000/1d", LEAD_ATTEMPT_LIMIT: "50000/1m" };

let posted = 0;

/** Sends one lead like no other, from an address like no other; returns the milliseconds it took. */
async function timeLead({ url }: Service): Promise<number> {
  const n = ++posted;
  const began = performance.now();
  const response = await fetch(`${url}/api/lead`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-forwarded-for": `10.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}`,
    },
    body: JSON.stringify({ email: `n${n}@example.com`, company: `Company ${n}`, locale: "en" }),
  });
  await response.body?.cancel();
  if (response.status !== 200) {
    throw new Error(`Cannot go on: a lead was answered ${response.status}`);
  }
  return performance.now() - began;
}

async function timeHealth({ url }: Service): Promise<number> {
  const began = performance.now();
  await (await fetch(`${url}/api/health`)).body?.cancel();
  return performance.now() - began;
}

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}

/** Time to accept, one lead after the other, the services in turn. */
async function acceptLatency(): Promise<void> {
  const folders = await Promise.all(WAITING.map(() => Deno.makeTempDir({ prefix: "growth-" })));
  const env = { ...ROOMY, TRUSTED_PROXY_HOPS: "1" };
  for (const [n, folder] of folders.entries()) {
    console.error(`filling a KV with ${WAITING[n]} waiting leads …`);
    await fill(`${folder}/.data/frontdoor.sqlite`, { leads: WAITING[n]!, dueInMs: 3_600_000 });
  }
  const services = [];
  for (const folder of folders) services.push(await startService(folder, env));
  const times: number[][] = services.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [n, service] of services.entries()) {
      for (let post = 0; post < POSTS_A_ROUND; post++) times[n]!.push(await timeLead(service));
    }
    console.error(`round ${round + 1} of ${ROUNDS}`);
  }
  const empty = quantile(times[0]!.slice(POSTS_A_ROUND), 0.5);
  console.log("\naccepting a lead, with so many waiting: median, p99, median to empty");
  for (const [n, all] of times.entries()) {
    const warm = all.slice(POSTS_A_ROUND);
    const median = quantile(warm, 0.5);
    console.log(
      `  ${String(WAITING[n]).padStart(7)}  ${ms(median)}  ${ms(quantile(warm, 0.99))}  ${
        (median / empty).toFixed(2)
      }`,
    );
  }
  for (const service of services) await service.end();
  for (const folder of folders) await Deno.remove(folder, { recursive: true });
}

/** How fast a queue is worked off, and what other requests feel of it. */
async function drain(leads: number, seconds: number): Promise<void> {
  await withReceiver(async (receiver) => {
    const folder = await Deno.makeTempDir({ prefix: "growth-" });
    console.error(`filling a KV with ${leads} due leads …`);
    const env = { ...ROOMY, TRUSTED_PROXY_HOPS: "1", LEAD_TARGETS: receiver.url };
    const idle = await Deno.makeTempDir({ prefix: "growth-" });
    await fill(`${folder}/.data/frontdoor.sqlite`, { leads, dueInMs: 0, target: receiver.url });
    const services = [await startService(idle, env), await startService(folder, env)];
    const began = performance.now();
    const before = receiver.received.length;
    const times = services.map(() => ({ health: [] as number[], lead: [] as number[] }));
    while (performance.now() - began < seconds * 1000) {
      for (const [n, service] of services.entries()) {
        times[n]!.health.push(await timeHealth(service));
        times[n]!.lead.push(await timeLead(service));
      }
    }
    const elapsed = (performance.now() - began) / 1000;
    const ours = times.reduce((sum, { lead }) => sum + lead.length, 0);
    const rate = (receiver.received.length - before - ours) / elapsed;
    console.log(`\na drain with ${leads} leads due, for ${elapsed.toFixed(0)} s`);
    console.log(`  ${rate.toFixed(0)} leads a second, beside requests one after the other:`);
    for (const [n, name] of ["idle", "draining"].entries()) {
      const { health, lead } = times[n]!;
      console.log(
        `  ${name.padEnd(9)} health ${ms(quantile(health, 0.5))}, p99 ${
          ms(quantile(health, 0.99))
        }; lead ${ms(quantile(lead, 0.5))}, p99 ${ms(quantile(lead, 0.99))}`,
      );
    }
    for (const service of services) await service.end();
    for (const path of [folder, idle]) await Deno.remove(path, { recursive: true });
  });
}

/** What the limiter remembers of a million addresses. */
function limiterMemory(): void {
  const clients = new Clients();
  const collect = (globalThis as { gc?: () => void }).gc ?? (() => {}); // --expose-gc
  collect();
  const before = Deno.memoryUsage().heapUsed;
  console.log(`\nthe limiter's memory, after so many distinct addresses`);
  for (let n = 1; n <= ADDRESSES; n++) {
    clients.of(`10.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}`).attempts = n;
    if (n === ADDRESSES / 10 || n === ADDRESSES) {
      collect();
      const grown = (Deno.memoryUsage().heapUsed - before) / 2 ** 20;
      console.log(
        `  ${String(n).padStart(9)}  ${clients.size} remembered, heap +${grown.toFixed(0)} MiB`,
      );
    }
  }
}

limiterMemory();
await acceptLatency();
await drain(100_000, 30);
Deno.exit(0);
