/** @module When a grade is good enough, and when it is not. */

import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { type Bar, type Grade, type GraderCheck, shortfallsOf, tableOf } from "./grade.ts";

const BAR: Bar = {
  leastScore: 92,
  refused: { teapot: { outcome: "fail", because: "there is no coffee here" } },
};
const TEAPOT: GraderCheck = { name: "teapot", outcome: "fail", detail: "not a teapot" };
const SOUND: GraderCheck = { name: "links", outcome: "pass", detail: "12 of 12" };

function grade(score: number, ...checks: readonly GraderCheck[]): Grade {
  return { grader: "g", score, checks };
}

Deno.test("a grade at the bar, with nothing but the refused check failing, is good enough", () => {
  deepEqual(shortfallsOf(grade(92, SOUND, TEAPOT), BAR), []);
});

Deno.test("a grade below the bar is not good enough", () => {
  deepEqual(shortfallsOf(grade(91, SOUND, TEAPOT), BAR), ["g gives 91, and 92 are wanted"]);
});

for (const outcome of ["warn", "fail", "skip"] as const) {
  Deno.test(`a check that is not refused and says ${outcome} counts, whatever the score`, () => {
    const links: GraderCheck = { name: "links", outcome, detail: "11 of 12" };
    deepEqual(shortfallsOf(grade(100, links, TEAPOT), BAR), [`g: links: ${outcome}: 11 of 12`]);
  });
}

Deno.test("a refusal covers the outcome that it names, and no other", () => {
  deepEqual(shortfallsOf(grade(100, SOUND, { ...TEAPOT, outcome: "skip" }), BAR), [
    "g: teapot: skip: not a teapot",
  ]);
});

for (
  const [what, checks] of [
    ["passes", [SOUND, { ...TEAPOT, outcome: "pass" }]],
    ["is gone", [SOUND]],
  ] as const
) {
  Deno.test(`a refused check that ${what} has to come off the list`, () => {
    deepEqual(shortfallsOf(grade(100, ...checks), BAR), [
      "g: teapot is refused, but it passes or is no longer asked for",
    ]);
  });
}

Deno.test("the table names the score, each check and the reason of a refusal", () => {
  const table = tableOf(grade(92, SOUND, TEAPOT), BAR);
  match(table, /^g: 92 of 100\n {2}pass {2}links {3}12 of 12\n {2}fail {2}teapot {2}not a teapot /);
  match(table, /\(refused: there is no coffee here\)$/);
});
