/**
 * @module What growth costs: `deno task bench:growth`.
 *
 * In this process, the limiter's memory with a million addresses. Then two real services on SQLite
 * files, asked by turns, so that the machine's noise meets both alike: the rate at which one works off
 * its queue, and what that does to other requests. What waiting leads cost a new one is part of
 * `deno task bench`; round trips to KV are asserted by `tests/leads/intake_test.ts`.
 */

// deno-lint-ignore-file no-console -- a program that prints

import { ClientLimits } from "../../leads/client_limits.ts";
import { type Service, startService } from "../support/service.ts";
import { withReceiver } from "../support/receiver.ts";
import { ROOMY, timeLead } from "./accept_growth.ts";
import { fill } from "./fill.ts";
import { quantile } from "./stats.ts";
import { takesNoArguments } from "../support/no_arguments.ts";

takesNoArguments("bench:growth", "Measures what a full queue and many clients cost (2 minutes).");

const ADDRESSES = 1_000_000;

async function timeHealth({ url }: Service): Promise<number> {
  const began = performance.now();
  await (await fetch(`${url}/api/health`)).body?.cancel();
  return performance.now() - began;
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}

/** How fast a queue is worked off, and what other requests feel of it. */
async function drain(leads: number, seconds: number): Promise<void> {
  await withReceiver(async (receiver) => {
    const folder = await Deno.makeTempDir({ prefix: "growth-" });
    console.error(`filling a KV with ${leads} due leads …`);
    const env = { ...ROOMY, LEAD_TARGETS: receiver.url };
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

/** What is remembered of a million addresses that each send one lead. */
function limiterMemory(): void {
  const limit = { count: 20, windowMs: 600_000 };
  const limits = new ClientLimits({ clock: Date, leadLimit: limit, attemptLimit: limit });
  const { gc: collect } = globalThis as { gc?: () => void };
  if (collect === undefined) throw new Error("Cannot measure: V8 needs --expose-gc");
  collect();
  const before = Deno.memoryUsage();
  console.log(`\nthe memory of both limits, after so many distinct addresses`);
  for (let n = 1; n <= ADDRESSES; n++) {
    const address = `10.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}`;
    limits.attempt(limits.sender(address));
    limits.client(address).leads = Date.now();
    if (n === ADDRESSES / 100 || n === ADDRESSES) {
      const resident = mib(Deno.memoryUsage().rss - before.rss);
      collect();
      const held = mib(Deno.memoryUsage().heapUsed - before.heapUsed);
      console.log(`  ${String(n).padStart(9)}  held +${held}, resident +${resident} at most`);
    }
  }
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}

limiterMemory();
await drain(100_000, 30);
Deno.exit(0);
