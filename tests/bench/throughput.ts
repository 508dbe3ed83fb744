/**
 * @module Requests a second of one kind of answer: service, floor and usual stack by turns, as
 * ratios to the floor of the same round, so that what the machine does meanwhile meets all alike.
 */

import type { Case } from "./cases.ts";
import { COPIES } from "./floor.ts";
import { type Load, load, type Loader, type Target } from "./load.ts";
import { floorAnswer, isSame, prepare, type Prepared } from "./prepare.ts";
import { benchProgram, type Contender, start } from "./processes.ts";
import { inTurn, ratios } from "./rounds.ts";

/** How long and how often. */
export interface Effort {
  readonly rounds: number;
  /** Milliseconds of one slice of load. */
  readonly sliceMs: number;
  readonly loader: Loader;
}

/** Who takes part, beside the floor, which is made for the case. */
export interface Field {
  readonly service: Contender;
  readonly usual: Contender | undefined;
  /** Where the floor may write. */
  readonly folder: string;
}

/** Ratios of requests a second to the floor's, one a round. */
export interface Ratios {
  readonly service: readonly number[];
  readonly usual: readonly number[] | undefined;
  /** The same for answers a second of CPU time, which other programs disturb less. */
  readonly work: readonly number[];
}

/** What comes after a start, when code is being compiled, is not measured. */
export const WARM_UP_MS = 1_000;
/** Header values with the time in them may differ by a digit. */
const SAME_SIZE = 0.01;

/** @throws {Error} if anybody answers otherwise than the case says */
export async function measureCase(one: Case, field: Field, effort: Effort): Promise<Ratios> {
  const prepared = await prepare(one, field.service.port);
  const floor = await startFloor(one, { prepared, folder: field.folder });
  const aimed: Record<string, Target> = {
    floor: { server: floor, requests: [prepared.request] },
    service: { server: field.service, requests: [prepared.request] },
  };
  if (one.usual && field.usual !== undefined) {
    const { request } = await prepare(one, field.usual.port);
    aimed["usual"] = { server: field.usual, requests: [request] };
  }
  try {
    const slices = (ms: number) =>
      Object.fromEntries(
        Object.entries(aimed).map(([name, target]) => [name, async () => {
          const done = await load(target, { loader: effort.loader, ms });
          return checked(done, `${name}, ${one.name}`, one.status);
        }]),
      );
    await inTurn(slices(WARM_UP_MS), 1);
    const rounds = await inTurn(slices(effort.sliceMs), effort.rounds);
    await prepare({ ...one, exhausting: 0 }, field.service.port); // it still answers as it should
    const sizes = rounds.map(({ floor, service }) => service!.bytes / floor!.bytes);
    if (sizes.some((size) => Math.abs(size - 1) > SAME_SIZE)) {
      throw new Error(`Cannot measure ${one.name}: floor and service differ in what they send`);
    }
    const speed = figures(rounds, (done) => done.perSecond);
    const work = figures(rounds, (done) => 1 / (done.cpuMs ?? NaN));
    return {
      service: ratios(speed, { of: "service", to: "floor" }),
      usual: "usual" in aimed ? ratios(speed, { of: "usual", to: "floor" }) : undefined,
      work: ratios(work, { of: "service", to: "floor" }),
    };
  } finally {
    await floor.end();
  }
}

/** A floor for a case, which has been seen to give the service's very answer. */
export async function startFloor(
  one: Case,
  { prepared, folder }: { readonly prepared: Prepared; readonly folder: string },
): Promise<Contender> {
  const args = one.commits
    ? [await Deno.makeTempFile({ dir: folder, suffix: ".sqlite" })]
    : one.constant
    ? [COPIES]
    : [];
  const input = [floorAnswer(prepared.answer)];
  const floor = await start(benchProgram("floor.ts", { folder, args, input }));
  const { answer } = await prepare({ ...one, exhausting: 0, conditional: false }, floor.port);
  if (isSame(answer, prepared.answer)) return floor;
  await floor.end();
  throw new Error(`Cannot measure ${one.name}: the floor's answer is not the service's`);
}

function figures(
  rounds: readonly Readonly<Record<string, Load>>[],
  figure: (done: Load) => number,
): Record<string, number>[] {
  return rounds.map((round) =>
    Object.fromEntries(Object.entries(round).map(([name, done]) => [name, figure(done)]))
  );
}

/** @throws {Error} where other answers came than expected */
export function checked(done: Load, who: string, status: number): Load {
  const expected = status >= 400 ? done.requests : 0;
  if (done.refused === expected) return done;
  throw new Error(
    `Cannot measure ${who}: ${done.refused} of ${done.requests} answers are refusals`,
  );
}
