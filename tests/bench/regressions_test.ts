/** @module The guard's decision. */

import { deepStrictEqual as deepEqual, throws } from "node:assert/strict";
import { baselineOf, falls } from "./regressions.ts";

const BASELINE = { health: { clock: 0.9, cpu: 0.8 }, start: { clock: 0.5 } };

Deno.test("what is at its baseline, above it, or a little below has not fallen", () => {
  for (const part of [1, 1.5, 0.86]) {
    const health = { clock: [0.9 * part], cpu: [0.8 * part] };
    deepEqual(falls({ health, start: { clock: [0.5 * part] } }, BASELINE), [], String(part));
  }
});

Deno.test("what is more than 15 % below its baseline has fallen, by either figure alone", () => {
  deepEqual(falls({ health: { clock: [0.9], cpu: [0.67] } }, BASELINE), [
    { name: "health", by: "cpu", baseline: 0.8, now: 0.67 },
  ]);
  deepEqual(falls({ health: { clock: [0.76], cpu: [0.8] } }, BASELINE), [
    { name: "health", by: "clock", baseline: 0.9, now: 0.76 },
  ]);
  deepEqual(falls({ start: { clock: [0.42] } }, BASELINE), [
    { name: "start", by: "clock", baseline: 0.5, now: 0.42 },
  ]);
});

Deno.test("a median counts: what happens to fewer than half of the rounds does not", () => {
  const low = 0.5;
  deepEqual(falls({ start: { clock: [low, low, 0.9] } }, { start: { clock: 0.9 } }).length, 1);
  deepEqual(falls({ start: { clock: [low, 0.9, 0.9] } }, { start: { clock: 0.9 } }), []);
  const cpu = [low, low, low, 0.8, 0.8];
  deepEqual(falls({ health: { clock: [0.9], cpu } }, BASELINE).map(({ by }) => by), ["cpu"]);
});

Deno.test("without CPU time on this machine the clock alone decides", () => {
  deepEqual(falls({ health: { clock: [0.9], cpu: [NaN] } }, BASELINE), []);
  deepEqual(falls({ health: { clock: [0.9] } }, BASELINE), []);
});

Deno.test("a row without a baseline or a measurement cannot be judged", () => {
  throws(() => falls({ docs: { clock: [1] } }, BASELINE), /^Error: Cannot judge docs/);
  for (const clock of [[], [NaN, 0.9, 0.9]]) {
    throws(() => falls({ health: { clock } }, BASELINE), /^Error: Cannot judge health/);
  }
});

Deno.test("a baseline holds rounded medians, and CPU time only where there is any", () => {
  deepEqual(
    baselineOf({ health: { clock: [0.1, 0.856, 2], cpu: [0.81234] }, start: { clock: [0.5] } }),
    { health: { clock: 0.86, cpu: 0.81 }, start: { clock: 0.5 } },
  );
  deepEqual(baselineOf({ health: { clock: [1], cpu: [NaN] } }), { health: { clock: 1 } });
});
