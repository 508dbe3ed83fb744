/**
 * @module Latency at half the peak rate, service and floor by turns at the same rate, with each
 * request's time set beforehand (`open_loop.ts`).
 */

import { type Progress, startField } from "./answers.ts";
import { type Case, CASES } from "./cases.ts";
import { load, nextNumbers, type Target } from "./load.ts";
import type { Latency, OpenLoop } from "./open_loop.ts";
import { prepare } from "./prepare.ts";
import { inTurn, ratios } from "./rounds.ts";
import type { Row } from "./rows.ts";
import { median, spreadOf } from "./stats.ts";
import { type Effort, startFloor } from "./throughput.ts";

/** An answer without work, one of a page's size, and one with a commit. */
const MEASURED = ["health", "home-html", "lead"];
const CONNECTIONS = 32;
/** Of what the sending program can do at the most: above it, its own haste would be measured. */
const AT_EASE = 0.6;
const PEAK_ROUNDS = 3;

/** Median and 99th percentile, a pair of rows a case. */
export async function measureLatency(
  effort: Effort & { readonly folder: string; readonly progress: Progress },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const one of CASES.filter(({ name }) => MEASURED.includes(name))) {
    effort.progress(`Latency: ${one.label}`);
    rows.push(...await measureOne(one, effort));
  }
  return rows;
}

async function measureOne(one: Case, effort: Effort & { readonly folder: string }): Promise<Row[]> {
  const { service, all } = await startField([{ ...one, usual: false }], effort.folder);
  try {
    const prepared = await prepare(one, service.port);
    const floor = await startFloor(one, { prepared, folder: effort.folder });
    all.push(floor);
    const requests = [prepared.request];
    const { peak, perSecond } = await rateFor({ service, floor, requests }, effort);
    const measures = Object.fromEntries(
      Object.entries({ service, floor }).map(([name, server]) => [
        name,
        () => openLoop({ server, requests }, { perSecond, ms: effort.sliceMs }),
      ]),
    );
    await inTurn(measures, 1);
    const rounds = await inTurn(measures, effort.rounds);
    const common = {
      group: "latency",
      better: "lower",
      to: `the floor, both at ${(perSecond / peak).toFixed(2)} of the service's peak rate`,
    } as const;
    return (["p50", "p99"] as const).map((name) => ({
      ...common,
      name: `${name}-${one.name}`,
      label: `Latency ${name}, ${one.label}`,
      service: spreadOf(ratios(
        rounds.map((round) => ({ service: round.service![name], floor: round.floor![name] })),
        { of: "service", to: "floor" },
      )),
    }));
  } finally {
    for (const one of all) await one.end();
  }
}

/** Half the service's peak, or what the sending program does at ease. */
async function rateFor(
  { service, floor, requests }: Record<"service" | "floor", Target["server"]> & {
    readonly requests: Target["requests"];
  },
  { loader, sliceMs: ms }: Effort,
) {
  const peaks: number[] = [];
  for (let round = 0; round < PEAK_ROUNDS; round++) {
    peaks.push((await load({ server: service, requests }, { loader, ms })).perSecond);
  }
  const peak = median(peaks);
  const most = await openLoop({ server: floor, requests }, { perSecond: null, ms });
  return { peak, perSecond: Math.min(peak / 2, most.perSecond * AT_EASE) };
}

async function openLoop(
  { server: { port }, requests }: Target,
  { perSecond, ms }: Pick<OpenLoop, "perSecond" | "ms">,
): Promise<Latency> {
  const order: OpenLoop = {
    port,
    request: requests[0]!,
    connections: CONNECTIONS,
    perSecond,
    ms,
    firstNumber: nextNumbers(),
  };
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-config",
      "--allow-net=127.0.0.1",
      new URL("open_loop.ts", import.meta.url).pathname,
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await new Blob([JSON.stringify(order)]).stream().pipeTo(child.stdin);
  const { success, stdout, stderr } = await child.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
