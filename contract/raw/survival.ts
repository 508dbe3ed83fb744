/** @module Checks that a service answers while many connections have sent half a request. */

import { getMessage } from "./message.ts";
import type { Place } from "./send_row.ts";
import { openWire, type Wire } from "./wire.ts";

/** The probe may be this many times slower, plus `AND_MS`: the machine is busy. */
const SLOWER = 20;
const AND_MS = 500;

const TRIES = 3;

/** The longest wait for the probe. */
const TIMEOUT_MS = 5_000;

/** The fault of the service while `count` connections have sent half a request. */
export async function checkSurvival(
  place: Place,
  { probe, usualMs, count }: {
    readonly probe: () => Promise<unknown>;
    readonly usualMs: number;
    readonly count: number;
  },
): Promise<string | undefined> {
  const wires: Wire[] = [];
  /** The milliseconds of a probe; infinite without an answer in time. */
  async function timed(): Promise<number> {
    const started = performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<number>((done) => timer = setTimeout(done, TIMEOUT_MS, Infinity));
    const ms = await Promise.race([late, probe().then(() => performance.now() - started)]);
    clearTimeout(timer);
    return ms;
  }
  try {
    const half = getMessage(place.probe, place.host).slice(0, -2);
    for (let n = 0; n < count; n++) {
      wires.push(await openWire(place.base));
      await wires.at(-1)!.send(half);
    }
    const times: number[] = [];
    while (times.length < TRIES && times.at(-1) !== Infinity) times.push(await timed());
    const ms = Math.min(...times);
    if (ms === Infinity) return "it no longer answers";
    return ms > SLOWER * usualMs + AND_MS ? "it answers far more slowly than before" : undefined;
  } catch {
    return "it no longer answers";
  } finally {
    await Promise.all(wires.map((wire) => wire.close()));
  }
}
