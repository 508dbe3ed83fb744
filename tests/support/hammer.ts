/** @module A thread that asks for attempts as fast as it can, from the same moment as the others. */

import { Attempts } from "../../leads/attempts.ts";
import type { Allowance } from "../../schemas/values.ts";

/** What all threads do. */
export interface Hammering {
  readonly memory: SharedArrayBuffer;
  /** Counts who is there; all begin when that is everybody. */
  readonly start: SharedArrayBuffer;
  readonly threads: number;
  readonly allowance: Allowance;
  readonly now: number;
  /** 10.0.0.0 and so many on from there. */
  readonly addresses: number;
  /** How often each of them asks. */
  readonly times: number;
}

const parent = globalThis as unknown as Pick<Worker, "postMessage" | "addEventListener">;

function hammer({ memory, start, threads, allowance, now, addresses, times }: Hammering): number[] {
  const attempts = new Attempts(allowance, memory);
  const admitted = Array<number>(addresses).fill(0);
  const here = new Int32Array(start);
  Atomics.add(here, 0, 1);
  while (Atomics.load(here, 0) < threads);
  for (let n = 0; n < addresses; n++) {
    for (let time = 0; time < times; time++) {
      const { allowed } = attempts.take(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, now);
      if (allowed) admitted[n]!++;
    }
  }
  return admitted;
}

if ("WorkerGlobalScope" in globalThis) {
  parent.addEventListener("message", ({ data }) => parent.postMessage(hammer(data)));
  parent.postMessage("here");
}
