/**
 * @module What it takes to accept a lead while others wait: real services on SQLite files that hold
 * so many waiting leads, asked by turns, one lead after the other.
 */

import { type Service, startService } from "../support/service.ts";
import { fill } from "./fill.ts";
import { inTurn, ratios } from "./rounds.ts";
import type { Row } from "./rows.ts";
import { median, spreadOf } from "./stats.ts";

/** Far more than any service here is sent. */
export const ROOMY = {
  LEAD_RATE_LIMIT: "900000/1d",
  LEAD_ATTEMPT_LIMIT: "50000/1m",
  TRUSTED_PROXY_HOPS: "1",
};

const POSTS_A_ROUND = 100;
const ROUNDS = 12;
/** So many wait. */
const MANY = 100_000;
/** What a hundred thousand waiting leads may cost a new one. */
const BAR = 1.2;
const AN_HOUR_MS = 3_600_000;

let posted = 0;

/** Sends one lead like no other, from an address like no other; returns the milliseconds it took. */
export async function timeLead({ url }: Service): Promise<number> {
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

/**
 * Milliseconds of each accepted lead: a record a round, by the number of leads waiting. A round more
 * is sent before, which does not count.
 */
async function timesByWaiting(
  waiting: readonly number[],
  progress: (line: string) => void,
): Promise<Record<string, number[]>[]> {
  const folders = await Promise.all(waiting.map(() => Deno.makeTempDir({ prefix: "growth-" })));
  const services: Service[] = [];
  try {
    for (const [n, folder] of folders.entries()) {
      progress(`filling a KV with ${waiting[n]} waiting leads …`);
      const leads = waiting[n]!;
      await fill(`${folder}/.data/frontdoor.sqlite`, { leads, dueInMs: AN_HOUR_MS });
    }
    for (const folder of folders) {
      services.push(await startService(folder, ROOMY, { withinMs: AN_HOUR_MS }));
    }
    const measures = Object.fromEntries(
      waiting.map((leads, n) => [String(leads), async () => {
        const times: number[] = [];
        for (let post = 0; post < POSTS_A_ROUND; post++) times.push(await timeLead(services[n]!));
        return times;
      }]),
    );
    await inTurn(measures, 1);
    return await inTurn(measures, ROUNDS);
  } finally {
    for (const service of services) await service.end();
    for (const folder of folders) await Deno.remove(folder, { recursive: true });
  }
}

/** The time to accept a lead with a hundred thousand waiting, to that with none. */
export async function measureGrowth(progress: (line: string) => void): Promise<Row[]> {
  const rounds = await timesByWaiting([0, MANY], progress);
  const medians = rounds.map((round) => ({ many: median(round[MANY]!), none: median(round[0]!) }));
  return [{
    group: "growth",
    name: "accept-waiting",
    label: `Accepting a lead while ${MANY.toLocaleString("en")} wait`,
    better: "lower",
    to: "itself with none waiting",
    service: spreadOf(ratios(medians, { of: "many", to: "none" })),
    bar: BAR,
  }];
}
