/** @module What the benchmark says of its rows: verdicts, table, chart. */

import assert, { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { CASES } from "./cases.ts";
import { chart } from "./chart.ts";
import { type Row, SAME_ANSWER, verdictOf } from "./rows.ts";
import { table } from "./terminal.ts";

const HEALTH: Row = {
  group: "answers",
  name: "health",
  label: "GET /api/health",
  better: "higher",
  to: SAME_ANSWER,
  service: { median: 0.912, low: 0.9, high: 0.93 },
  work: { median: 0.88, low: 0.87, high: 0.89 },
  usual: { median: 0.28, low: 0.27, high: 0.29 },
  bar: 0.85,
  timesUsual: 3,
};
const START: Row = {
  group: "start",
  name: "start",
  label: "Start <cold> & slow",
  better: "lower",
  to: "a bare server with KV open",
  service: { median: 2.5, low: 2.4, high: 2.6 },
  bar: 1.95,
};
const UNBARRED: Row = {
  group: "answers",
  name: "400",
  label: "400",
  better: "higher",
  to: SAME_ANSWER,
  service: { median: 0.24, low: 0.24, high: 0.24 },
};

Deno.test("a bar that is met exactly is held, from both sides", () => {
  const at = (median: number) => ({ median, low: median, high: median });
  equal(verdictOf({ ...HEALTH, service: at(0.85) }), "held");
  equal(verdictOf({ ...HEALTH, service: at(0.8499) }), "short");
  equal(verdictOf({ ...START, service: at(1.95) }), "held");
  equal(verdictOf({ ...START, service: at(1.9501) }), "short");
  equal(verdictOf({ ...HEALTH, usual: at(0.304) }), "held");
  equal(verdictOf({ ...HEALTH, usual: at(0.305) }), "short");
  equal(verdictOf(UNBARRED), "no bar");
});

Deno.test("the table tells every row under what it is compared with, and sums up the bars", () => {
  const lines = table([HEALTH, START, UNBARRED]).split("\n");
  deepEqual(lines.filter((line) => /^\S/.test(line)), [
    "Requests a second, to a bare server, same answer (higher is better)",
    "Cost, to a bare server with KV open (lower is better)",
    "1 of 2 bars held; short: Start <cold> & slow",
  ]);
  const cells = lines.filter((line) => /^ {2}\S/.test(line)).map((line) =>
    line.trim().split(/ {2,}/)
  );
  deepEqual(cells, [
    ["GET /api/health", "0.91", "0.90 to 0.93", "0.88", "0.28", "≥ 0.85, 3 × usual", "held"],
    ["400", "0.24"],
    ["Start <cold> & slow", "2.50", "2.40 to 2.60", "≤ 1.95", "short"],
  ]);
});

Deno.test("the chart shows all answers and what else has a bar, to scale, with the verdict in words", () => {
  const { bar: _, ...cold } = START;
  const svg = chart([HEALTH, START, UNBARRED, cold]);
  const shown = [...svg.matchAll(/<text x="\d+" y="\d+">(.*?)<\/text>/g)].map(([, text]) => text);
  deepEqual(shown, ["0.91 held", "0.24 no bar", "2.50 short"]);
  const [service, usual] = [...svg.matchAll(/<rect class="(?:held|usual)".* width="([\d.]+)"/g)]
    .map(([, width]) => Number(width));
  assert(Math.abs(usual! / service! - 0.28 / 0.912) < 0.01, `${usual} to ${service}`);
  const [, mark] = /<path class="mark" d="M([\d.]+) /.exec(svg)!;
  const [, zero] = /<rect class="held" x="([\d.]+)"/.exec(svg)!;
  assert(Math.abs((Number(mark) - Number(zero)) / service! - 0.85 / 0.912) < 0.01, mark);
});

Deno.test("the chart is well-formed, and labels are escaped", () => {
  const svg = chart([HEALTH, START]);
  assert(svg.includes("Start &lt;cold&gt; &amp; slow"));
  const open: string[] = [];
  for (const [, end, name, own] of svg.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)) {
    if (end) equal(open.pop(), name);
    else if (!own) open.push(name!);
  }
  deepEqual(open, []);
});

Deno.test("the chart of all there is stays below 20 KB", () => {
  const rows = CASES.map(({ name, label }) => ({ ...HEALTH, name, label }));
  const svg = chart([...rows, START, START, START, START]);
  assert(new TextEncoder().encode(svg).byteLength < 20_000, String(svg.length));
});

Deno.test("everything is drawn within the chart, however long a bar is", () => {
  const long = { ...START, service: { median: 40, low: 39, high: 41 } };
  for (
    const [, x, width] of chart([long]).matchAll(/<rect class="\w+" x="(\d+)".* width="([\d.]+)"/g)
  ) {
    assert(Number(x) + Number(width) <= 860 - 100);
  }
});
