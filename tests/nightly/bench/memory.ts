/**
 * @module Resident memory after many requests, beside the bare server's: what is held after a collection,
 * which `--inspect` can force, and what V8's heap grew to before it.
 */

import { figuresOf } from "../../support/process_figures.ts";
import { freePort } from "../../support/service.ts";
import type { FloorAnswer } from "./floor.ts";
import { load } from "./load.ts";
import { type Effort, floorAnswer, ownFolder, prepare } from "./measure.ts";
import type { Row } from "./report.ts";
import { ANSWERS, COSTS } from "./rows.ts";
import { floorProgram, launch, type Program, serviceProgram } from "./servers.ts";

/** Two: what the first one frees may hold other things. */
const COLLECTIONS = 2;

const MIX = ANSWERS.filter(({ name }) => name !== "lead" && name !== "429");

interface Memory {
  /** In MiB. */
  readonly grown: number;
  readonly held: number;
  /** After a quarter of the requests. */
  readonly heldBefore: number;
}

async function collectGarbage(inspector: string): Promise<void> {
  const [{ webSocketDebuggerUrl }] = await (await fetch(`http://${inspector}/json`)).json();
  const socket = new WebSocket(webSocketDebuggerUrl);
  await new Promise((opened) => socket.onopen = opened);
  for (let id = 0; id < COLLECTIONS; id++) {
    const answered = new Promise((answered) => socket.onmessage = answered);
    socket.send(JSON.stringify({ id, method: "HeapProfiler.collectGarbage" }));
    await answered;
  }
  const closed = new Promise((closed) => socket.onclose = closed);
  socket.close();
  await closed;
}

async function memoryOf(program: Program, requests: number): Promise<Memory> {
  const inspector = `127.0.0.1:${freePort()}`;
  const [run, ...args] = program.args;
  await using server = await launch({
    ...program,
    args: [run!, `--inspect=${inspector}`, ...args],
  });
  async function after(count: number): Promise<{ grown: number; held: number }> {
    for (let sent = 0; sent < count;) {
      sent += (await load(server, {
        requests: MIX.map(({ request }) => request),
        ms: 1_000,
      })).requests;
    }
    const { memory: grown } = await figuresOf(server.pid);
    await collectGarbage(inspector);
    return { grown, held: (await figuresOf(server.pid)).memory };
  }
  const { held: heldBefore } = await after(requests / 4);
  return { ...await after(requests * 3 / 4), heldBefore };
}

export async function measureMemory(effort: Effort): Promise<Row[]> {
  effort.progress("memory");
  const program = await serviceProgram(await ownFolder(effort));
  const answers: FloorAnswer[] = [];
  {
    await using service = await launch(program);
    for (const one of MIX) answers.push(floorAnswer((await prepare(one, service)).answer));
  }
  const own = await memoryOf(program, effort.requests);
  const folder = await ownFolder(effort);
  const floor = await memoryOf(floorProgram("make", { folder, answers }), effort.requests);
  const mib = ({ grown, held }: Memory) => `${grown.toFixed(0)} MiB, held ${held.toFixed(0)}`;
  effort.progress(`memory: ${mib(own)}; bare server ${mib(floor)}`);
  const row = (name: string, ratio: number, bar?: number): Row => ({
    ...{ name, better: "lower", rounds: [ratio] },
    ...(bar === undefined ? {} : { bar }),
  });
  return [
    row("memory", own.held / floor.held, COSTS.memory),
    row("memory-flat", own.held / own.heldBefore, COSTS.flat),
    row("memory-grown", own.grown / floor.grown),
  ];
}
