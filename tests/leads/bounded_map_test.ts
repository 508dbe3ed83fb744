/** @module BoundedMap evicts the least recently set entries, those to keep last. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { BoundedMap } from "../../leads/bounded_map.ts";

/** Sets 0 to `count` - 1, each under its own name. */
function fill(map: BoundedMap<number>, count: number): BoundedMap<number> {
  for (let n = 0; n < count; n++) map.set(String(n), n);
  return map;
}

/** Which of 0 to `count` - 1 are in the map. */
function entriesOf(map: BoundedMap<number>, count: number): number[] {
  return Array.from({ length: count }, (_, n) => n).filter((n) => map.get(String(n)) === n);
}

Deno.test("BoundedMap evicts the least recently set entry; reading does not count", () => {
  const map = fill(new BoundedMap<number>({ max: 10, keep: () => false }), 10);
  equal(map.get("1"), 1);
  equal(map.get("none"), undefined);
  equal(entriesOf(map, 10).length, 10);
  map.set("0", 0);
  map.set("10", 10);
  deepEqual(entriesOf(map, 11), [0, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

Deno.test("BoundedMap evicts entries to keep only if all are to be kept", () => {
  const some = fill(new BoundedMap<number>({ max: 10, keep: (n) => n < 3 }), 1_000);
  deepEqual(entriesOf(some, 3), [0, 1, 2]);
  ok(entriesOf(some, 1_000).length <= 10);
  const all = fill(new BoundedMap<number>({ max: 10, keep: () => true }), 11);
  deepEqual(entriesOf(all, 11), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

Deno.test("BoundedMap keeps its bound in linear time", () => {
  const sets = 50_000;
  for (const keep of [false, true]) {
    let calls = 0;
    let largest = 0;
    const map = new BoundedMap<number>({ max: 5_000, keep: () => (calls++, keep) });
    for (let n = 0; n < sets; n++) {
      map.set(String(n), n);
      if (n % 500 === 499) largest = Math.max(largest, entriesOf(map, n + 1).length);
    }
    equal(largest, 5_000);
    equal(map.get(String(sets - 1)), sets - 1);
    // Each eviction of a tenth looks at every entry at most once.
    ok(calls <= 10 * sets, String(calls));
  }
});
