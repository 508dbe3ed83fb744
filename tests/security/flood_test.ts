/**
 * @module A flood of leads: what was answered 200 is held and nothing else is, honest clients are
 * served meanwhile, and memory stays within bounds. `deno task test:flood` does the same five times
 * as large.
 */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { flood, shortcomings } from "./flood.ts";

const POSTS = 20_000;

Deno.test({
  name:
    "20,000 posts from many addresses and from one: nothing is lost and honest clients are served",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const report = await flood(POSTS);
    deepEqual(shortcomings(report), []);
    // Half of all posts are leads, each from an address of its own: the limits are for none of them.
    equal(report.answers["valid 200"], POSTS / 2);
  },
});

Deno.test("a flood that loses a lead, refuses somebody honest or fills the memory falls short", () => {
  const sound = {
    posts: 10,
    seconds: 1,
    answers: { "valid 200": 5, "invalid 400": 2, "no JSON 400": 1, "one address 200": 2 },
    honest: { "200": 3 },
    honestMs: { median: 1, p99: 2, longest: 3 },
    memory: { before: 60, most: 90, after: 80 },
    lost: [],
    uncalledFor: [],
  };
  deepEqual(shortcomings(sound), []);
  const broken = [
    { ...sound, lost: ["Flood 1"] },
    { ...sound, uncalledFor: ["Flood 1"] },
    { ...sound, answers: { ...sound.answers, "valid 200": 4, "valid 429": 1 } },
    { ...sound, answers: { ...sound.answers, "invalid 500": 1 } },
    { ...sound, answers: { ...sound.answers, "one address 200": 30 } },
    { ...sound, honest: { "200": 3, "429": 1 } },
    { ...sound, honest: {} },
    { ...sound, honestMs: { median: 1, p99: 2, longest: 60_000 } },
    { ...sound, memory: { before: 60, most: 900, after: 80 } },
  ];
  for (const report of broken) equal(shortcomings(report).length, 1, JSON.stringify(report));
});
