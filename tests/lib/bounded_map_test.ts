/** @module BoundedMap evicts the least recently set entries, those to keep last. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { BoundedMap } from "../../lib/bounded_map.ts";

function fill(map: BoundedMap<number>, count: number): BoundedMap<number> {
  for (let n = 0; n < count; n++) map.set(String(n), n);
  return map;
}

function entriesOf(map: BoundedMap<number>, count: number): number[] {
  return Array.from({ length: count }, (_, n) => n).filter((n) => map.get(String(n)) === n);
}

Deno.test("BoundedMap evicts the least recently set entries; reading does not count", () => {
  const map = fill(new BoundedMap<number>({ max: 10, keep: () => false }), 8);
  equal(map.get("1"), 1);
  equal(map.get("none"), undefined);
  equal(entriesOf(map, 8).length, 8);
  map.set("0", 0);
  map.set("8", 8);
  deepEqual(entriesOf(map, 9), [0, 5, 6, 7, 8]);
});

Deno.test("BoundedMap evicts entries to keep last, but no more than two fifths of its bound", () => {
  const some = fill(new BoundedMap<number>({ max: 12, keep: (n) => n < 3 }), 1_000);
  deepEqual(entriesOf(some, 3), [0, 1, 2]);
  ok(entriesOf(some, 1_000).length <= 12);
  const all = fill(new BoundedMap<number>({ max: 12, keep: () => true }), 13);
  deepEqual(entriesOf(all, 13), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

Deno.test("BoundedMap keeps its bound in linear time", () => {
  const sets = 20_000;
  for (const keep of [false, true]) {
    let calls = 0;
    let largest = 0;
    const map = new BoundedMap<number>({ max: 5_000, keep: () => (calls++, keep) });
    for (let n = 0; n < sets; n++) {
      map.set(String(n), n);
      if (n % 500 === 499) largest = Math.max(largest, entriesOf(map, n + 1).length);
    }
    ok(largest > 4_000 && largest <= 5_000, String(largest));
    equal(map.get(String(sets - 1)), sets - 1);
    // Each change of generations looks at half of the entries, at least a tenth are new.
    ok(calls <= 5 * sets, String(calls));
  }
});
