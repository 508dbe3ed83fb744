/**
 * @module Whether a service is still well after all that: it answers, as fast as before, to anyone.
 */

import { getMessage } from "./message.ts";
import type { Place } from "./talk.ts";
import { openWire, type Wire } from "./wire.ts";

/** Asks the probe in the usual way, and says how long it took in milliseconds. */
export type Ask = () => Promise<number>;

/** Connections that say half a request and no more. */
const HALF_SAID = 200;

/** Other things take time as well: only what is out of all proportion counts. */
const SLOWER = 20;
const AND_MS = 500;

const TRIES = 15;

/** How long the probe usually takes, in milliseconds. */
export async function usualTime(ask: Ask): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < TRIES; n++) times.push(await ask());
  return times.toSorted((a, b) => a - b)[Math.floor(TRIES / 2)]!;
}

/** What is wrong with the service while many connections have said half a request, a line each. */
export async function aliveAmong(
  place: Place,
  { ask, usual }: { readonly ask: Ask; readonly usual: number },
): Promise<string[]> {
  const wires: Wire[] = [];
  try {
    const half = getMessage(place.probe, place.host).slice(0, -2);
    for (let n = 0; n < HALF_SAID; n++) {
      const wire = await openWire(place.base);
      wires.push(wire);
      await wire.send(half);
    }
    const now = await usualTime(ask);
    return now > SLOWER * usual + AND_MS ? ["it answers far more slowly than before"] : [];
  } catch {
    return ["it does not answer any more"];
  } finally {
    await Promise.all(wires.map((wire) => wire.close()));
  }
}
