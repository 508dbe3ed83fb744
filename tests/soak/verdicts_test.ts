/** @module What a soak takes for a broken promise, and what for the fault that it has made itself. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  faultOf,
  idFaults,
  isFlat,
  logFaults,
  type Outcome,
  type Posts,
  thirds,
  type Troubles,
} from "./verdicts.ts";

const WELL: Troubles = { down: [], withoutKv: [] };

/** From 100 to 200 something is wrong. */
const SPAN = [{ from: 100, to: 200 }];

function answer(
  status: number,
  { posts, at = 150 }: { readonly posts?: Posts; readonly at?: number } = {},
): Outcome {
  const time = { from: at, to: at + 10 };
  return { kind: "lead", service: "file", expected: [200], status, time, posts };
}

Deno.test("an answer that is expected is right at any time", () => {
  equal(faultOf(answer(200), WELL), undefined);
  equal(faultOf(answer(200), { down: SPAN, withoutKv: SPAN }), undefined);
});

Deno.test("any other answer is a fault, named by kind, service and status", () => {
  equal(faultOf(answer(500), WELL), "lead at file: 500");
  equal(faultOf(answer(0), WELL), "lead at file: no answer");
  equal(
    faultOf(answer(500, { posts: "lead" }), { down: SPAN, withoutKv: SPAN }),
    "lead at file: 500",
  );
});

Deno.test("a request may go unanswered while its service is restarted, and at no other time", () => {
  const troubles = { down: SPAN, withoutKv: [] };
  for (const at of [91, 150, 200]) equal(faultOf(answer(0, { at }), troubles), undefined);
  for (const at of [89, 201]) {
    equal(faultOf(answer(0, { at }), troubles), "lead at file: no answer");
  }
  equal(faultOf(answer(0), { down: [], withoutKv: SPAN }), "lead at file: no answer");
});

Deno.test("a lead may be answered 502 while KV is out of reach, and at no other time", () => {
  const troubles = { down: [], withoutKv: SPAN };
  equal(faultOf(answer(502, { posts: "lead" }), troubles), undefined);
  equal(faultOf(answer(502, { posts: "lead", at: 201 }), troubles), "lead at file: 502");
  equal(faultOf(answer(502, { posts: "other" }), troubles), "lead at file: 502");
  equal(faultOf(answer(502), troubles), "lead at file: 502");
});

Deno.test("whatever is posted may be answered 502 while the service is restarted, a page not", () => {
  const troubles = { down: SPAN, withoutKv: [] };
  equal(faultOf(answer(502, { posts: "lead" }), troubles), undefined);
  equal(faultOf(answer(502, { posts: "other" }), troubles), undefined);
  equal(faultOf(answer(502), troubles), "lead at file: 502");
});

Deno.test("a fault that has no end yet counts", () => {
  const open = [{ from: 100, to: Infinity }];
  equal(faultOf(answer(0, { at: 9_999 }), { down: open, withoutKv: [] }), undefined);
});

Deno.test("a lead keeps its id however often it is delivered; sent twice, it may have two", () => {
  const sent = ["A", "B", "B", "C"].map((company) => ({ company }));
  const taken = ["A 1", "A 1", "B 2", "B 3", "C 4"].map((text) => {
    const [company = "", id = ""] = text.split(" ");
    return { company, id };
  });
  deepEqual(idFaults(sent, taken), []);
  deepEqual(idFaults(sent, [...taken, { company: "A", id: "9" }]), ["A: delivered under 2 ids"]);
});

Deno.test("a series is told by the medians of its thirds", () => {
  deepEqual(thirds([9, 1, 5, 10, 10, 70, 3, 4, 2]), [5, 10, 3]);
  deepEqual(thirds([1, 3, 5, 7, 9, 11, 13]), [2, 7, 12]);
  deepEqual(thirds([]), [NaN, NaN, NaN]);
});

Deno.test("memory is flat where the last third is at most 15 % above the second", () => {
  equal(isFlat([50, 50, 100, 100, 114, 114]), true);
  equal(isFlat([50, 50, 100, 100, 116, 116]), false);
  equal(isFlat([500, 500, 100, 100, 90, 90]), true);
  equal(isFlat([50, 50, 100, 100, 100, 900, 100, 100, 100]), true, "one peak is no growth");
});

Deno.test("memory without measurements is not flat", () => {
  equal(isFlat([]), false);
});

Deno.test("a log may hold ids and words of the service's own", () => {
  deepEqual(
    logFaults('{"event":"lead.stored","lead":"0199-…","target":"webhook:127.0.0.1:9"}'),
    [],
  );
});

for (
  const [line, fault] of [
    ["mail to person-7@example.com", "a mail address"],
    ['{"company":"Visitor 12"}', "a company"],
    ['{"company":"Company 12"}', "a company"],
    ["from 10.0.3.17", "a client's address"],
    ["from 2001:db8:0:1f::/64", "a client's address"],
    ['{"event":"request.failed","at":"main.ts"}', "a failed request"],
    ['{"event":"lead.not_reconciled"}', "an ambiguous commit never resolved"],
  ] as const
) {
  Deno.test(`a log that holds ${fault} is told by that, not by what it holds: ${line}`, () => {
    deepEqual(logFaults(`{"event":"lead.stored"}\n${line}\n`), [fault]);
  });
}
