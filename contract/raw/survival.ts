/** @module Checks that a service answers while many connections have sent half a request. */

import { getMessage } from "./message.ts";
import type { Survey } from "./survey.ts";
import { ask, openWire, type Wire } from "./wire.ts";

/** The probe may be this many times slower, plus `AND_MS`: the machine is busy. */
const SLOWER = 20;
const AND_MS = 500;

const TRIES = 3;

/** The fault of the service while `count` connections have sent half a request. */
export async function checkSurvival(
  { base, probe, host, ms }: Survey,
  count: number,
): Promise<string | undefined> {
  const wires: Wire[] = [];
  try {
    while (wires.length < count) {
      const wire = await openWire(base);
      wires.push(wire);
      await wire.send(getMessage(probe, host).slice(0, -2));
    }
    let fastest = Infinity;
    for (let n = 0; n < TRIES; n++) {
      const asked = await ask(base, getMessage(probe, `${host}\r\nUser-Agent: contract`));
      if (asked === undefined) return "it no longer answers";
      fastest = Math.min(fastest, asked.ms);
    }
    return fastest > SLOWER * ms + AND_MS ? "it answers far more slowly" : undefined;
  } catch {
    return "it no longer answers";
  } finally {
    await Promise.all(wires.map((wire) => wire.close()));
  }
}
