/** @module TargetHealth: one report when a target has failed for an hour, one when it has recovered. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { TargetHealth } from "../../leads/target_health.ts";

const MINUTE = 60_000;

/** Failed attempts at one lead, in minutes, and when it was accepted after them. */
interface Attempt {
  readonly failed?: readonly number[];
  readonly accepted?: number;
  readonly refused?: true;
  /** How many of the attempts belong to earlier rounds. */
  readonly earlier?: number;
}

const STORIES: readonly (readonly [string, readonly Attempt[], readonly unknown[]])[] = [
  ["an hour is reported once", [
    { failed: [0] },
    { failed: [0, 59] },
    { failed: [0, 60] },
    { failed: [0, 200] },
  ], [0]],
  ["different leads count together", [{ failed: [0] }, { failed: [30] }, { failed: [60] }], [0]],
  ["an acceptance resets", [
    { failed: [0] },
    { failed: [0, 30], accepted: 40 },
    { failed: [50] },
    { failed: [0, 30, 109] },
    { failed: [50, 110] },
  ], [50]],
  ["each failure and recovery is reported", [
    { failed: [0, 60] },
    { failed: [0, 60], accepted: 70 },
    { failed: [0, 60], accepted: 71 },
    { failed: [80, 140] },
    { accepted: 150 },
  ], [0, "recovered", 80, "recovered"]],
  ["a fresh process knows from the lead that the target has failed", [
    { failed: [0, 30, 150] },
    { failed: [10, 160] },
  ], [0]],
  ["a fresh process knows from the lead that its failure was reported", [
    { failed: [0, 30, 150], accepted: 300 },
    { failed: [0, 30, 150], accepted: 301 },
  ], ["recovered"]],
  ["a failure of less than an hour has no recovery", [{ failed: [0, 59], accepted: 300 }], []],
  ["an attempt that began before the last acceptance does not count", [
    { accepted: 100 },
    { failed: [0, 100] },
    { failed: [101] },
    { failed: [160] },
  ], []],
  ["a lead that is refused for good tells nothing about earlier attempts", [
    { failed: [0, 100], refused: true },
    { failed: [0, 159], refused: true },
    { failed: [160], refused: true },
  ], [100]],
  ["attempts of earlier rounds do not count", [
    { failed: [0, 100], earlier: 1 },
    { failed: [0, 159], earlier: 1 },
    { failed: [0, 160], earlier: 1 },
  ], [100]],
];

for (const [title, attempts, reports] of STORIES) {
  Deno.test(`TargetHealth: ${title}`, () => {
    const health = new TargetHealth();
    const reported = attempts.map(({ failed = [], accepted, refused, earlier = 0 }) => {
      const attempts = [...failed, ...accepted === undefined ? [] : [accepted]]
        .map((minute) => ({ at: minute * MINUTE, durationMs: 0, result: "" }));
      const state = accepted !== undefined ? "delivered" : refused ? "dead" : "waiting";
      const report = health.note({ state, due: (accepted ?? 0) * MINUTE, attempts, earlier });
      return typeof report === "number" ? report / MINUTE : report;
    });
    deepEqual(reported.filter((report) => report !== undefined), reports);
  });
}
