/** @module That each way in which a soak can go wrong breaks the promise that it belongs to. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Answer } from "../support/ledger.ts";
import { isKept, type Seen, summarise } from "./report.ts";
import { tablesOf } from "./tables.ts";

const STEADY = {
  name: "file",
  folder: "/steady",
  steady: true,
  restarts: { SIGTERM: 0, SIGKILL: 0 },
  faults: [],
};
const RESTARTED = {
  ...STEADY,
  name: "file, restarted",
  folder: "/restarted",
  steady: false,
  restarts: { SIGTERM: 2, SIGKILL: 1 },
};

function sizes(...mib: number[]) {
  return mib.map((size) => ({ mib: size, files: 40 }));
}

function told(company: string, status: number): Answer {
  return { company, status, delivered: undefined, ms: 1, targeted: true };
}

function delivery(company: string) {
  return { method: "POST", path: "/", headers: {}, body: "", id: "1", company, at: 0 };
}

/** A soak in which all went well. */
const WELL: Seen = {
  minutes: 2,
  rounds: 1,
  services: [STEADY, RESTARTED],
  target: {
    taken: ["A", "B", "A"].map(delivery),
    answers: { 204: 3, 500: 1 },
    unsigned: 0,
  },
  traffic: { answers: { page: { 200: 3 }, lead: { 200: 2, 0: 1 } }, faults: new Map() },
  ledger: {
    answers: [
      ...[told("A", 502), told("A", 200), told("B", 200)],
      ...[told("C", 502), told("D", 429), told("E", 0), told("E", 502)],
      told("F", 0),
    ],
  },
  runs: [{ service: "file", exchanges: 152, ms: 900, findings: [] }],
  settlement: {
    standing: { delivered: 1, waiting: 1, dead: 0, overdue: 0 },
    drainSeconds: 3,
    inTheGap: 0,
    broken: [],
    contradictions: [],
  },
  series: new Map([
    ["/steady", sizes(80, 100, 110)],
    ["/restarted", sizes(80, 80, 200)], // each life begins anew: only steady ones are judged
  ]),
};

const { settlement, target, traffic } = WELL;
const GROWN = new Map([["/steady", sizes(80, 100, 116)], ["/restarted", sizes(80)]]);
const MANY_FILES = new Map([...WELL.series, ["/restarted", [{ mib: 80, files: 900 }]]]);

/** What may be seen, and how the promise begins that it breaks. */
const BREACHES: readonly (readonly [what: string, seen: Partial<Seen>, promise: string])[] = [
  [
    "a wrong answer",
    {
      traffic: {
        ...traffic,
        faults: new Map([["page at file: 500", { times: 2, first: new Date(0) }]]),
      },
    },
    "Every answer",
  ],
  ["a lost lead", { settlement: { ...settlement, broken: ["A: lost"] } }, "What was answered 200"],
  [
    "an overdue lead",
    { settlement: { ...settlement, standing: { ...settlement.standing, overdue: 1 } } },
    "No lead waits",
  ],
  [
    "a stray entry",
    { settlement: { ...settlement, contradictions: ["stray"] } },
    "The databases",
  ],
  ["a try without signature", { target: { ...target, unsigned: 1 } }, "Every try is signed"],
  [
    "a finding of the harness",
    { runs: [{ service: "file", exchanges: 9, ms: 1, findings: ["GET /: 500"] }] },
    "The harness",
  ],
  ["no run of the harness", { runs: [] }, "The harness"],
  [
    "a service that ended in disorder",
    { services: [{ ...STEADY, faults: ["file ended with 1"] }, RESTARTED] },
    "SIGTERM ends",
  ],
  ["memory that grows", { series: GROWN }, "Memory is flat"],
  ["memory that was not measured", { series: new Map() }, "Memory is flat"],
  ["many open files", { series: MANY_FILES }, "Open files"],
];

Deno.test("a soak in which all went well keeps every promise", () => {
  const report = summarise(WELL);
  equal(isKept(report), true);
  equal(tablesOf(report).includes("✗"), false);
});

for (const [what, seen, promise] of BREACHES) {
  Deno.test(`${what} breaks the promise "${promise} …" and no other`, () => {
    const report = summarise({ ...WELL, ...seen });
    equal(isKept(report), false);
    const broken = report.promises.filter((one) => one.broken.length > 0);
    deepEqual(broken.map((one) => one.promise.slice(0, promise.length)), [promise]);
    match(tablesOf(report), new RegExp(`^✗ ${promise}`, "m"));
  });
}

Deno.test("a lead counts by the best that its senders were told", () => {
  deepEqual(summarise(WELL).leads, { sent: 6, accepted: 2, lost: 2, limited: 1, unanswered: 1 });
});

Deno.test("restarts are added up, and deliveries beyond the first are counted", () => {
  const { restarts, target } = summarise(WELL);
  deepEqual(restarts, { SIGTERM: 2, SIGKILL: 1 });
  equal(target.again, 1);
});

Deno.test("the table tells requests without an answer in words, and all together", () => {
  const table = tablesOf(summarise(WELL));
  match(table, /^lead +none: 1, 200: 2$/m);
  match(table, /^requests in all +6$/m);
});

Deno.test("of many breaches ten are told", () => {
  const broken = Array.from({ length: 12 }, (_, n) => `lead ${n}`);
  const table = tablesOf(summarise({ ...WELL, settlement: { ...settlement, broken } }));
  match(table, /lead 9\n {4}and 2 more\n/);
});
