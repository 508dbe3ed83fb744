/** @module Quantiles, rounds and verdicts. The bench itself checks that the bare server is fair. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { inTurn, quantile, type Row, verdictOf } from "./report.ts";

Deno.test("quantile() interpolates, and inTurn() begins each round with another measure", async () => {
  deepEqual([0, 0.25, 0.5, 1].map((q) => quantile([40, 10, 30, 20], q)), [10, 17.5, 25, 40]);
  equal(quantile([], 0.5), NaN);
  const order: string[] = [];
  const note = (name: string) => () => Promise.resolve(order.push(name));
  const rounds = await inTurn({ a: note("a"), b: note("b"), c: note("c") }, 3);
  equal(order.join(""), "abcbcacab");
  deepEqual(rounds[1], { b: 4, c: 5, a: 6 });
});

Deno.test("verdictOf() accepts a bar that is met exactly", () => {
  const verdict = (figure: number, more: Partial<Row> = {}) =>
    verdictOf({ name: "", better: "higher", rounds: [figure], bar: 0.7, ...more });
  deepEqual([verdict(0.7), verdict(0.699), verdict(NaN)], ["met", "missed", "missed"]);
  deepEqual([0.7, 0.701].map((one) => verdict(one, { better: "lower" })), ["met", "missed"]);
  const usual = { usual: [0.25], timesUsual: 3 };
  deepEqual([verdict(0.75, usual), verdict(0.74, usual)], ["met", "missed"]);
});
