/** @module The killing of the service in small; `deno task test:crash` does it two hundred times. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { runKills } from "./kills.ts";

const KILLS = 10;

/** The same instants in every run, as far as a machine can keep to them. */
const SEED = 1;

Deno.test(`what was answered holds through ${KILLS} kills of the process`, async () => {
  const report = await runKills({ kills: KILLS, seed: SEED, lockEvery: KILLS, progress: () => {} });
  deepEqual(report.violations, []);
  deepEqual(report.inconsistent, []);
  equal(report.kills, KILLS);
  // A run in which nothing happened proves nothing.
  ok(report.accepted >= 50, `${report.accepted} answered 200`);
  ok(report.refused >= 1, `${report.refused} answered 502`);
  ok(report.unanswered >= 1, `${report.unanswered} never answered`);
});
