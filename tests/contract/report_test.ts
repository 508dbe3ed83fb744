/** @module What reports show of a request: a long one only in part, and how to send it whole. */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import { curlOf, type Exchange } from "../../contract/exchange.ts";
import { htmlReport } from "../../contract/report/html.ts";
import { junitReport } from "../../contract/report/junit.ts";
import { terminalReport } from "../../contract/report/terminal.ts";
import type { RunResult } from "../../contract/run.ts";

/** The result of a run that has found one fault, by this many headers. */
function resultOf(headers: number, replay?: string): RunResult {
  const exchange: Exchange = {
    base: "http://127.0.0.1:8000",
    call: {
      method: "GET",
      path: "/",
      headers: Array.from({ length: headers }, (_, n) => [`x-${n}`, "trailer"] as const),
    },
    answer: { status: 500, headers: new Headers(), body: new Uint8Array(), text: "", ms: 1 },
    tier: "raw",
    title: "many trailers",
  };
  const place = { check: "raw", where: "trailers", message: "got 500" };
  const finding = { ...place, tier: "raw", exchange, replay };
  return {
    open: [{ ...place, tiers: ["raw"], findings: [finding] }],
    waived: [],
    stale: [],
    base: exchange.base,
    seed: 42,
    title: "Small",
    tiers: [{
      name: "raw",
      tries: "bytes",
      exchanges: 1,
      findings: 1,
      ms: 1,
      skipped: undefined,
      notes: [],
    }],
    cells: [],
    exchanges: 1,
    ms: 1,
    held: false,
    advice: undefined,
  };
}

const REPORTS = { terminal: terminalReport, junit: junitReport, html: htmlReport };

for (const [name, report] of Object.entries(REPORTS)) {
  Deno.test(`a request of 20,000 fields is shown in part: ${name}`, () => {
    const [small, large] = [report(resultOf(0)), report(resultOf(20_000))];
    ok(large.length < small.length + 5_000, `${large.length - small.length} characters more`);
    match(large, /… \d{3},\d{3} more characters; deno task contract --only raw sends it whole/);
    const kept = report(resultOf(20_000, "corpus/raw-1.json"));
    match(kept, /more characters; deno task contract --replay corpus\/raw-1\.json sends it whole/);
  });

  Deno.test(`a short request is shown whole: ${name}`, () => {
    const result = resultOf(3);
    const { exchange } = result.open[0]!.findings[0]!;
    const shown = report(result).replaceAll("&#39;", "'");
    ok(shown.includes(curlOf(exchange!)));
    equal(shown.includes("more characters"), false);
  });
}

Deno.test("one is one exchange and one finding, not one exchanges", () => {
  const text = terminalReport(resultOf(0));
  match(text, /1 exchange +1 finding /);
  match(text, /^Violated: \S+, 1 exchange, /m);
});
