/** @module A map that is full evicts what was set longest ago, and what is to be kept last of all. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { BoundedMap } from "../../leads/bounded_map.ts";

/** Sets 0 to `count` - 1, each under its own name. */
function fill(map: BoundedMap<number>, count: number): void {
  for (let n = 0; n < count; n++) map.set(String(n), n);
}

/** Which of 0 to `count` - 1 are there. */
function held(map: BoundedMap<number>, count: number): number[] {
  return Array.from({ length: count }, (_, n) => n).filter((n) => map.get(String(n)) === n);
}

Deno.test("what was set longest ago goes first, and setting it again makes it the latest", () => {
  const map = new BoundedMap<number>({ max: 10, keep: () => false });
  fill(map, 10);
  map.set("0", 0);
  map.set("10", 10);
  deepEqual(held(map, 11), [0, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

Deno.test("to look for a key leaves nothing and moves nothing", () => {
  const map = new BoundedMap<number>({ max: 10, keep: () => false });
  equal(map.get("0"), undefined);
  equal(map.size, 0);
  fill(map, 10);
  equal(map.get("0"), 0);
  map.set("10", 10);
  equal(map.get("0"), undefined);
});

Deno.test("what is to be kept stays however many others come", () => {
  const map = new BoundedMap<number>({ max: 10, keep: (n) => n < 3 });
  fill(map, 1_000);
  deepEqual(held(map, 3), [0, 1, 2]);
  ok(map.size <= 10);
});

Deno.test("where all are to be kept, what was set longest ago goes", () => {
  const map = new BoundedMap<number>({ max: 10, keep: () => true });
  fill(map, 11);
  deepEqual(held(map, 11), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

for (const [what, keep] of [["nothing", false], ["everything", true]] as const) {
  Deno.test(`keys beyond the bound leave it, in linear time, where ${what} is to be kept`, () => {
    const keys = 100_000;
    let asked = 0;
    let most = 0;
    const map = new BoundedMap<number>({ max: 5_000, keep: () => (asked++, keep) });
    for (let n = 0; n < keys; n++) {
      map.set(String(n), n);
      most = Math.max(most, map.size);
    }
    equal(most, 5_000);
    equal(map.get(String(keys - 1)), keys - 1);
    // All entries are looked at once, at the most, for each tenth of them that goes.
    ok(asked <= 10 * keys, String(asked));
  });
}
