/** @module What measured numbers come to: middles, ranges, rounds and their order. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { inTurn, ratios } from "./rounds.ts";
import { median, quantile, spreadOf } from "./stats.ts";

Deno.test("the median of an odd count is the middle, of an even count the mean of two", () => {
  equal(median([9, 1, 5]), 5);
  equal(median([9, 1, 5, 7]), 6);
  equal(median([]), NaN);
});

Deno.test("a quantile lies between its neighbours, and the ends are the least and the most", () => {
  const values = [40, 10, 30, 20];
  deepEqual([0, 0.25, 0.5, 1].map((q) => quantile(values, q)), [10, 17.5, 25, 40]);
  deepEqual(values, [40, 10, 30, 20], "the numbers stay as they were");
});

Deno.test("one wild round moves neither the median nor the range", () => {
  deepEqual(spreadOf([1, 1.1, 0.9, 1, 1, 1, 50]), { median: 1, low: 1, high: 1.05 });
});

Deno.test("each round begins with another, and measures all", async () => {
  const order: string[] = [];
  const note = (name: string) => () => Promise.resolve(order.push(name));
  const rounds = await inTurn({ a: note("a"), b: note("b"), c: note("c") }, 4);
  equal(order.join(""), "abcbcacababc");
  deepEqual(rounds[1], { b: 4, c: 5, a: 6 });
});

Deno.test("ratios pair what was measured in the same round", () => {
  const rounds = [{ service: 8, floor: 10 }, { service: 50, floor: 100 }];
  deepEqual(ratios(rounds, { of: "service", to: "floor" }), [0.8, 0.5]);
});
