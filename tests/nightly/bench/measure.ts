/** @module Measures service, bare server and usual stack in turn, as ratios: the machine is shared. */

import { isDeepStrictEqual } from "node:util";
import { runDeno } from "../../support/command.ts";
import { ask, type RawAnswer, type RawRequest } from "../../support/raw_http.ts";
import type { FloorAnswer } from "./floor.ts";
import { filled, type Load, load } from "./load.ts";
import { inTurn, median, type Row } from "./report.ts";
import { ANSWERS, type Asked, COSTS, NEAR_FLOOR, STARTS, TIMES_USUAL, VISITOR } from "./rows.ts";
import {
  floorProgram,
  launch,
  type Program,
  type Server,
  serviceProgram,
  usualProgram,
} from "./servers.ts";

export interface Effort {
  readonly rounds: number;
  readonly sliceMs: number;
  readonly starts: number;
  /** Requests before memory is measured. */
  readonly requests: number;
  readonly folder: string;
  readonly progress: (name: string) => void;
}

const WARM_UP_MS = 500;
const STARTS_BEFORE = 3;
const WAITING = 100_000;
/** Set by Deno itself, or by the connection. */
const NOT_OURS = new Set(["date", "connection", "keep-alive", "content-length"]);
/** Headers that contain a time may differ by a digit. */
const SAME_SIZE = 0.01;

/** Numbers the requests of this module; those of load are higher. */
let sent = 0;

export async function measureAnswers(asked: readonly Asked[], effort: Effort): Promise<Row[]> {
  await using service = await launch(await serviceProgram(await ownFolder(effort)));
  await using usual = await launch(await usualProgram(await ownFolder(effort), service));
  const rows: Row[] = [];
  for (const one of asked) {
    const { name, status } = one;
    effort.progress(name);
    const { request, answer } = await prepare(one, service);
    await using floor = await launchFloor(one, { answer, folder: await ownFolder(effort) });
    const sides: Record<string, [Server, RawRequest]> = {
      floor: [floor, request],
      service: [service, request],
    };
    if (one.usual) sides.usual = [usual, (await prepare(one, usual)).request];
    const rounds = await loadInTurn(sides, effort);
    for (const { service, floor } of rounds) {
      const refused = status >= 400 ? service!.requests : 0;
      if (service!.refused !== refused || Math.abs(service!.bytes / floor!.bytes - 1) > SAME_SIZE) {
        throw new Error(`Cannot measure ${name}: other answers than the floor's`);
      }
    }
    const ratios = (side: string) =>
      rounds.map((round) => round[side]!.perSecond / round.floor!.perSecond);
    const other = sides.usual && ratios("usual");
    const bar = other === undefined || one.floor !== "copy" || one.bar === undefined
      ? one.bar
      : Math.max(one.bar, Math.min(TIMES_USUAL * median(other), NEAR_FLOOR));
    rows.push({ name, better: "higher", rounds: ratios("service"), usual: other, bar });
  }
  return rows;
}

async function loadInTurn(
  sides: Readonly<Record<string, readonly [Server, RawRequest]>>,
  { rounds, sliceMs }: Effort,
): Promise<Record<string, Load>[]> {
  const slices = (ms: number) =>
    Object.entries(sides).map(([name, [server, request]]) =>
      [name, () => load(server, { requests: [request], ms })] as const
    );
  await inTurn(Object.fromEntries(slices(WARM_UP_MS)), 1);
  return await inTurn(Object.fromEntries(slices(sliceMs)), rounds);
}

/** Brings the client over its limit or gets an entity tag, as the row needs, and records the answer. */
export async function prepare(
  { name, request, status, exhausting = 0, conditional }: Asked,
  { port }: Server,
): Promise<{ request: RawRequest; answer: RawAnswer }> {
  for (let n = 0; n < exhausting; n++) await ask(port, filled(request, sent++));
  if (conditional) {
    const { headers: { etag = "" } } = await ask(port, request);
    request = { ...request, headers: { ...request.headers, "if-none-match": etag } };
  }
  const answer = await ask(port, filled(request, sent++));
  if (answer.status === status) return { request, answer };
  throw new Error(`Cannot measure ${name}: answered ${answer.status}, not ${status}`);
}

async function launchFloor(one: Asked, { answer, folder }: { answer: RawAnswer; folder: string }) {
  const floor = await launch(floorProgram(one.floor, { folder, answers: [floorAnswer(answer)] }));
  const given = await prepare({ ...one, exhausting: 0, conditional: false }, floor);
  if (isSame(given.answer, answer)) return floor;
  await floor[Symbol.asyncDispose]();
  throw new Error(`Cannot measure ${one.name}: the floor's answer is not the service's`);
}

export function floorAnswer({ status, headers, body }: RawAnswer): FloorAnswer {
  const ours = Object.entries(headers).filter(([name]) => !NOT_OURS.has(name));
  const text = body.length === 0 ? null : body.toBase64();
  return { status, headers: Object.fromEntries(ours), body: text };
}

function isSame(one: RawAnswer, other: RawAnswer): boolean {
  const [first, second] = [one, other].map(({ headers, ...rest }) => (
    { ...rest, headers: { ...headers, date: "" } }
  ));
  return isDeepStrictEqual(first, second);
}

/** Each program has warm caches of its own: Deno caches code for one set of flags in each folder. */
export async function measureStarts(names: readonly string[], effort: Effort): Promise<Row[]> {
  const asked = STARTS.filter(({ name }) => names.includes(name));
  if (asked.length === 0) return [];
  effort.progress("start");
  const answers = [{ status: 200, headers: {}, body: null }];
  const service = await serviceProgram(await ownFolder(effort));
  const floor = floorProgram("make", { folder: await ownFolder(effort), answers });
  const { npmCache } = JSON.parse((await runDeno(["info", "--json"])).out);
  async function cacheFolder(): Promise<string> {
    const cache = await ownFolder(effort);
    await Deno.symlink(npmCache, `${cache}/npm`);
    return cache;
  }
  const timed = (program: Program, path: string, cache: string) => async () => {
    const began = performance.now();
    await using server = await launch({ ...program, env: { ...program.env, DENO_DIR: cache } });
    const { status } = await ask(server.port, { path, headers: VISITOR });
    if (status !== 200) throw new Error(`Cannot measure the start: ${path} answered ${status}`);
    return performance.now() - began;
  };
  const [own, other] = [await cacheFolder(), await cacheFolder()];
  const sides: Record<string, () => Promise<number>> = { floor: timed(floor, "/", other) };
  for (const { name, path } of asked) sides[name] = timed(service, path, own);
  await inTurn(sides, STARTS_BEFORE);
  const rounds = await inTurn(sides, effort.starts);
  return asked.map(({ name, bar }) => {
    const ratios = rounds.map((round) => round[name]! / round["floor"]!);
    return { name, better: "lower", rounds: ratios, bar };
  });
}

/** The time to accept a lead while many are queued, relative to an empty queue. */
export async function measureWaiting(effort: Effort): Promise<Row> {
  effort.progress("waiting");
  const lead = ANSWERS.find(({ name }) => name === "lead")!.request;
  const full = await serviceProgram(await ownFolder(effort));
  {
    // A target that never answers: leads beyond the attempts in flight go to its queue at once.
    using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const LEAD_TARGETS = `http://127.0.0.1:${silent.addr.port}/`;
    const env = { ...full.env, LEAD_TARGETS, LEAD_INLINE_TIMEOUT: "100ms" };
    await using filling = await launch({ ...full, env });
    for (let sent = 0; sent < WAITING;) {
      const { requests, refused } = await load(filling, { requests: [lead], ms: 1_000 });
      sent += requests - refused;
    }
  }
  await using none = await launch(await serviceProgram(await ownFolder(effort)));
  await using many = await launch(full);
  const rounds = await loadInTurn({ none: [none, lead], many: [many, lead] }, effort);
  const ratios = rounds.map(({ none, many }) => none!.perSecond / many!.perSecond);
  return { name: "waiting", better: "lower", rounds: ratios, bar: COSTS.waiting };
}

export function ownFolder({ folder }: Effort): Promise<string> {
  return Deno.makeTempDir({ dir: folder });
}
