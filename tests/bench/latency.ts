/**
 * @module Latency at half the peak rate, service and floor by turns at the same rate, with each
 * request's time set beforehand (`open_loop.ts`).
 */

import { runDeno } from "../support/command.ts";
import { type Progress, startField } from "./answers.ts";
import { type Case, CASES } from "./cases.ts";
import { load, nextNumbers } from "./load.ts";
import type { Latency, OpenLoop } from "./open_loop.ts";
import { prepare } from "./prepare.ts";
import type { Contender } from "./processes.ts";
import { inTurn, ratios } from "./rounds.ts";
import type { Row } from "./rows.ts";
import { median, spreadOf } from "./stats.ts";
import { type Effort, startFloor } from "./throughput.ts";

/** An answer without work, one of a page's size, and one with a commit. */
const MEASURED = ["health", "home-html", "lead"];
const CONNECTIONS = 32;
/** Of what the sending program can do at the most: above it, its own haste would be measured. */
const AT_EASE = 0.6;
const WARM_UP_ROUNDS = 1;
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
    const { request } = prepared;
    const order = { request, status: one.status, ms: effort.sliceMs };
    const { peak, perSecond } = await rateFor({ service, floor, order }, effort);
    const measures = Object.fromEntries(
      Object.entries({ service, floor }).map(([name, { port }]) => [
        name,
        () => openLoop({ ...order, port, perSecond }),
      ]),
    );
    await inTurn(measures, 1);
    const rounds = await inTurn(measures, effort.rounds);
    const common = {
      group: "latency",
      better: "lower",
      to: `the floor, both at ${(perSecond / peak).toFixed(2)} of the service's peak rate${
        perSecond < peak / 2 ? ", which is all that can be sent at ease" : ""
      }`,
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

/** One slice, but for whom it meets and how fast. */
type Slice = Pick<OpenLoop, "request" | "status" | "ms">;

/** Half the service's peak, or what the sending program does at ease. */
async function rateFor(
  { service, floor, order }: {
    readonly service: Contender;
    readonly floor: Contender;
    readonly order: Slice;
  },
  { loader, sliceMs: ms }: Effort,
) {
  const peaks: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < PEAK_ROUNDS; round++) {
    const target = { server: service, requests: [order.request] };
    const { perSecond } = await load(target, { loader, ms });
    if (round >= 0) peaks.push(perSecond);
  }
  const peak = median(peaks);
  const most = await openLoop({ ...order, port: floor.port, perSecond: null });
  return { peak, perSecond: Math.min(peak / 2, most.perSecond * AT_EASE) };
}

async function openLoop(
  order: Slice & Pick<OpenLoop, "port" | "perSecond">,
): Promise<Latency> {
  const whole: OpenLoop = { ...order, connections: CONNECTIONS, firstNumber: nextNumbers() };
  const { code, out, err } = await runDeno([
    "run",
    "--no-config",
    "--allow-net=127.0.0.1",
    new URL("open_loop.ts", import.meta.url).pathname,
  ], { input: JSON.stringify(whole) });
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
}
