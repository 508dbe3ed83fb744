/** @module Reports: long requests are shortened, counts and markup are correct. */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import { curlOf, type Exchange } from "../../contract/exchange.ts";
import { htmlReport } from "../../contract/report/html.ts";
import { junitReport } from "../../contract/report/junit.ts";
import { terminalReport } from "../../contract/report/terminal.ts";
import type { RunResult } from "../../contract/run.ts";

/** A result with one finding, from a request with this many headers. */
function resultOf(headers: number, replay?: string): RunResult {
  const fields = Array.from({ length: headers }, (_, n) => [`x-${n}`, "trailer"] as const);
  const exchange: Exchange = {
    base: "http://127.0.0.1:8000",
    call: { method: "GET", path: "/", headers: fields },
    answer: { status: 500, headers: new Headers(), body: new Uint8Array(), text: "", ms: 1 },
    tier: "raw",
    title: "many trailers",
  };
  const place = { check: "raw", where: "trailers", message: "got <500>" };
  const tier = { name: "raw", tries: "bytes", exchanges: 1, findings: 1, ms: 1, notes: [] };
  return {
    open: [{ ...place, tiers: ["raw"], findings: [{ ...place, tier: "raw", exchange, replay }] }],
    waived: [],
    stale: [],
    base: exchange.base,
    seed: 42,
    title: "Small",
    tiers: [{ ...tier, skipped: undefined }],
    cells: [],
    exchanges: 1,
    ms: 1,
    held: false,
    advice: undefined,
  };
}

Deno.test("reports shorten a long request and name the command that sends it whole", () => {
  for (const report of [terminalReport, junitReport, htmlReport]) {
    const [small, large] = [report(resultOf(3)), report(resultOf(20_000))];
    ok(small.includes(curlOf(resultOf(3).open[0]!.findings[0]!.exchange!)), report.name);
    equal(small.includes("more characters"), false);
    ok(large.length < small.length + 5_000, `${large.length - small.length} characters more`);
    match(large, /… \d{3},\d{3} more characters; deno task contract --only raw sends it whole/);
    const kept = report(resultOf(20_000, "corpus/raw-1.json"));
    match(kept, /more characters; deno task contract --replay corpus\/raw-1\.json sends it whole/);
  }
});

Deno.test("reports use singular nouns for one and escape markup", () => {
  const text = terminalReport(resultOf(0));
  match(text, /1 exchange +1 finding /);
  match(text, /^Violated: \S+, 1 exchange, /m);
  for (const report of [junitReport, htmlReport]) match(report(resultOf(0)), /got &lt;500&gt;/);
});
