/** @module Reports: long requests are shortened, counts and markup are correct, curl repeats a request. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { send } from "../../contract/run/client.ts";
import { type Call, curlOf, type Exchange } from "../../contract/lib/exchange.ts";

import { htmlReport } from "../../contract/report/html.ts";
import { writeReports } from "../../contract/report/files.ts";
import { junitReport } from "../../contract/report/junit.ts";
import { annotations, terminalReport } from "../../contract/report/terminal.ts";
import type { RunResult } from "../../contract/run/run.ts";
import { replayTier } from "../../contract/tiers/corpus.ts";
import { run } from "../support/command.ts";
import { setUp } from "./small_service.ts";

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
    accepted: [1, 2],
    ms: 1,
    passed: false,
    failed: false,
    strict: false,
    command: "deno task contract",
    left: [],
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

Deno.test("a finding of a report is replayed by the harness alone", async () => {
  await using setting = setUp();
  const folder = await Deno.makeTempDir();
  try {
    const result = { ...resultOf(1), base: setting.url, report: folder };
    const [first] = result.open;
    const bytes = ["GET /api/alive HTTP/1.1\r\n", "Host: x\r\n\r\n"];
    const parts = bytes.map((text) => new TextEncoder().encode(text));
    const second = { ...first!.findings[0]!, where: "bytes" };
    const exchange = { ...second.exchange!, bytes: parts };
    const raw = { ...first!, where: "bytes", findings: [{ ...second, exchange }] };
    const both = { ...result, open: [first!, raw] };
    match(terminalReport(both), new RegExp(`--replay ${folder}/report\\.json#2$`, "m"));
    match(terminalReport({ ...both, report: undefined }), /^ {2}deno task contract --only raw$/m);
    await writeReports(folder, both);
    const printed: string[] = [];
    for (const number of [1, 2]) {
      const file = new URL(`file://${folder}/report.json#${number}`);
      await replayTier(file, (line) => printed.push(line)).run(setting.session);
    }
    match(printed[0]!, /^curl .* http:\S+\/ -H 'x-0: trailer'$/);
    match(printed.at(-1)!, /^HTTP\/1\.1 200 OK\r\n/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("reports use singular nouns for one and escape markup", () => {
  const text = terminalReport(resultOf(0));
  match(text, /1 exchange +1 finding /);
  match(text, /^Violated: \S+, 1 of 2 operations, 1 exchange, /m);
  for (const report of [junitReport, htmlReport]) match(report(resultOf(0)), /got &lt;500&gt;/);
});

const CELLS = [{ operation: "good", status: "200", seen: new Map(), exempt: undefined }];

Deno.test("JUnit fails and GitHub marks what counts", () => {
  const one = resultOf(0);
  const gap = { ...one.open[0]!, check: "completeness", where: "a,b: 5%", message: "x\ny" };
  const rows = [
    [one, "failure", "error"],
    [{ ...one, open: [gap] }, "system-out", "notice"],
    [{ ...one, open: [gap], strict: true }, "failure", "notice"],
  ] as const;
  for (const [result, element, level] of rows) {
    const report = junitReport({ ...result, cells: CELLS });
    match(report, new RegExp(`name="${result.open[0]!.check}" time="0.000"><${element}\\b`));
    // Operations, rules and tiers that nothing is wrong with are cases too.
    match(report, /<testcase classname="operations" name="good" time="0.000"\/>/);
    match(report, /<testcase classname="rules" name="not_modified" time="0.000"\/>/);
    match(report, /<testcase classname="tiers" name="raw" time="0.001"\/>/);
    match(annotations(result), new RegExp(`^::${level} title=`));
  }
  match(annotations(rows[1][0]), /title=a%2Cb%3A 5%25 \(completeness\)::x%0Ay%0Acurl -i /);
});

function post(body: string | Uint8Array<ArrayBuffer>): Call {
  const headers = [["content-type", "application/json"]] as const;
  return { method: "POST", path: "/api/things", headers, body };
}

const CALLS: readonly Call[] = [
  { method: "GET", path: "/api/alive?x=a'b&y=%20" },
  { method: "HEAD", path: "/api/alive" },
  { method: "BREW", path: "/api/alive" },
  post(`{"name":"it's $HOME \\"x\\""}`),
  post("@/etc/hostname"),
  post("a\r\n%s %% \\n\n"),
  post("a\0b"),
  post(Uint8Array.of(0, 0xff, 0x25, 0x5c, 0x27, 0x0a, 0x2d)),
  { method: "POST", path: "/api/things", body: new TextEncoder().encode("{}") },
  { method: "GET", path: "/api/alive", headers: [["accept", ""]] },
];

Deno.test("curlOf() returns commands that send the same requests", async () => {
  await using setting = setUp();
  for (const call of CALLS) await send(setting.url, call);
  const lines = CALLS.map((call) =>
    `${curlOf({ base: setting.url, call })} --silent --max-time 5 || exit 1`
  );
  equal((await run(["bash", "-c", lines.join("\n")])).code, 0);
  const seen = setting.requests.map(({ method, path, bytes, headers }, index) => ({
    method,
    path,
    bytes,
    type: headers.get("content-type"),
    accept: CALLS[index % CALLS.length]!.headers?.[0]?.[0] === "accept" && headers.get("accept"),
  }));
  deepEqual(seen.slice(CALLS.length), seen.slice(0, CALLS.length), lines.join("\n"));
});
