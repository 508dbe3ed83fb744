/** @module Runs on services that the harness does not know: what it sends, reports and survives. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { curlOf } from "../../contract/lib/exchange.ts";
import { createPermits, type Permission } from "../../contract/run/permits.ts";
import { readDocument } from "../../contract/document/read.ts";
import { run } from "../../contract/run/run.ts";
import { EndedError, send } from "../../contract/run/client.ts";
import { isPassing } from "../../contract/oracle/finding.ts";
import { ruleNamed } from "../../contract/lib/rules.ts";
import { keepSecret, masked } from "../../contract/lib/secrets.ts";
import type { Session } from "../../contract/run/session.ts";
import { TIERS } from "../../contract/service/tiers.ts";
import { documentOf, type Override, planOf, respond, sendAlive, setUp } from "./small_service.ts";

Deno.test("createPermits() sends what changes data only as far as it is permitted", () => {
  const document = readDocument(JSON.stringify({
    openapi: "3.1.0",
    paths: {
      "/a": { get: { operationId: "getA" }, post: { operationId: "addA", tags: ["t"] } },
      "/a/{id}": { delete: { operationId: "endA" } },
      "/db/reset": { post: {}, get: {} },
      "/db": { get: { operationId: "resetsOfDb" }, post: { summary: "Shut down the database" } },
      "/jobs": { post: { operationId: "cancelJobs" }, put: { summary: "Lists what was deleted" } },
    },
  }));
  const all = ["GET /a", "POST /a", "PUT /a", "DELETE /a/1", "OPTIONS /b", "TRACE /a"];
  const others = ["POST /db/reset", "GET /db/reset", "POST /db", "POST /jobs", "PUT /jobs"];
  const rows: readonly (readonly [Partial<Permission>, sent: string])[] = [
    [{}, "GET /a, POST /a, OPTIONS /b"],
    [{ live: true }, "GET /a, OPTIONS /b"],
    [{ live: true, allowUnsafe: true }, all.join(", ")],
    [{ live: true, only: ["addA"] }, "POST /a"],
    [{ only: ["DELETE /a/{id}"] }, "DELETE /a/1"],
    [{ only: ["/a*"] }, "GET /a, POST /a, DELETE /a/1"],
    [{ exclude: ["t"] }, "GET /a, OPTIONS /b"],
    [{ exclude: ["/a", "options"] }, ""],
    [{ allowUnsafe: true, exclude: ["/a"] }, "DELETE /a/1, OPTIONS /b"],
    [{ allowUnsafe: true, exclude: ["DELETE"] }, "GET /a, POST /a, PUT /a, OPTIONS /b, TRACE /a"],
  ];
  for (const [given, sent] of rows) {
    const none = { live: false, allowUnsafe: false, only: [], exclude: [] };
    const permits = createPermits(document, { ...none, ...given });
    const callOf = (line: string) => ({ method: line.split(" ")[0]!, path: line.split(" ")[1]! });
    const able = all.filter((line) => permits(callOf(line)) === undefined);
    equal(able.join(", "), sent, JSON.stringify(given));
    const isAll = given.allowUnsafe === true && given.exclude === undefined;
    const ableToo = others.filter((line) => permits(callOf(line)) === undefined);
    if (Object.keys(given).length === 0) deepEqual(ableToo, ["PUT /jobs"]);
    else if (isAll) deepEqual(ableToo, others);
    equal(
      permits(callOf("DELETE /a/1"), true),
      given.exclude?.[0] === "DELETE" ? "left out by --exclude" : undefined,
    );
  }
});

Deno.test("masked() knows values cut, encoded and in a login", () => {
  keepSecret(["Authorization", `Basic ${btoa("anna:pass word")}`]);
  keepSecret(["Accept", "application/json"]);
  keepSecret(["X-Key", "k/1+x&y z'9<\"q"]);
  const rows = [
    [`x ${btoa("anna:pass word")} y`, "x *** y"],
    ["pass%20word", "***"],
    [`cut ${btoa("anna:pass word").slice(0, 9)}`, "cut ***"],
    ["application/json", "application/json"],
    // Services escape in many ways, and cut what they have escaped.
    ...[
      "k/1+x&y z'9<\\\"q",
      "k\\/1\\u002bx\\u0026y z'9",
      "k%252f1%2bx%26y+z%279",
      "k&#47;1+x&amp;y z&#x27;9",
      "k/1+x&amp;amp;y z\\&amp;apos;9&lt;\\&quot;q",
    ]
      .map((text) => [`<${text}>`, "<***>"] as const),
  ] as const;
  for (const [text, shown] of rows) equal(masked(text), shown);
});

Deno.test("every tier sends only what is permitted", async () => {
  const rows: readonly (readonly [Partial<Permission>, sent: RegExp])[] = [
    [{ only: ["addThing"] }, /^(?:(?:POST|GET|HEAD|OPTIONS) \/api\/things|GET \/openapi\.json)$/],
    [{ exclude: ["HEAD", "OPTIONS"] }, /^(?:GET |get |POST |OPTIONS \/\*$)/],
    [{ exclude: ["/api/*"] }, /^(?!\S+ \/api\/(?:things|list|sendAlive))/],
    [{ live: true }, /^(?:GET|HEAD|OPTIONS) /],
  ];
  for (const [permission, sent] of rows) {
    await using setting = setUp();
    const tiers = TIERS.filter(({ startsInstances }) => !startsInstances);
    const plan = { ...planOf(setting.url, sendAlive), tiers, examples: 2 };
    const { open } = await run({ ...plan, ...permission });
    deepEqual(open.filter(({ check }) => check === "harness_error"), []);
    const lines = setting.requests.map(({ method, path }) => `${method} ${path}`);
    ok(lines.length > 1);
    deepEqual(lines.filter((line) => !sent.test(line)), []);
  }
});

Deno.test("what ends a tier ends no run", async () => {
  const call = { method: "DELETE", path: "/api/alive" };
  type Row = readonly [found: string, test: (session: Session) => Promise<unknown>];
  const rows: readonly Row[] = [
    ["x is no y", () => Promise.reject(new TypeError("x is no y"))],
    ["DELETE /api/alive must not be sent", (session) => session.send(call, { title: "" })],
    ["", () => Promise.reject(new EndedError("enough"))], // a note
  ];
  for (const [found, test] of rows) {
    await using setting = setUp();
    const plan = planOf(setting.url, async (session) => void await test(session));
    const { open, tiers, failed } = await run(plan);
    const lines = open.map(({ check, where, message }) => `${check} ${where}: ${message}`);
    const [line = ""] = lines;
    ok(line.startsWith(found && `harness_error tier one: ${found}`), line);
    deepEqual([lines.length, failed], [Number(found !== ""), found !== ""]);
    equal(tiers[1]!.exchanges, 1, found);
  }
});

Deno.test("a fault is reported once it has come twice, and otherwise marked", async () => {
  let sent = 0;
  const flaky: Override = ({ path }) =>
    path === "/api/alive" && sent++ === 1 ? respond(500, {}) : undefined;
  const steady: Override = ({ path }) => path === "/api/alive" ? respond(500, {}) : undefined;
  for (const [override, passes] of [[flaky, true], [steady, false]] as const) {
    await using setting = setUp({ override });
    const { open, passed } = await run(planOf(setting.url, sendAlive));
    deepEqual([isPassing(open[0]!), passed], [passes, passes]);
    const strict = await run({ ...planOf(setting.url, sendAlive), strict: true });
    equal(strict.passed, passes, "the service answers now");
  }
});

Deno.test("a request without answer in time is a finding, and its kind is sent no more", async () => {
  const pending = new AbortController();
  const never = () =>
    new ReadableStream({ start: (c) => pending.signal.onabort = () => c.close() });
  const override: Override = ({ path }) => path === "/api/list" ? new Response(never()) : undefined;
  await using setting = setUp({ override, timeoutMs: 200 });
  const { session, findings } = setting;
  const list = (title = "") => session.send({ method: "GET", path: "/api/list" }, { title });
  const exchange = await list();
  session.report(ruleNamed("allow"), "of no answer", { exchange });
  await sendAlive(session);
  deepEqual(findings.map(({ check, where, message }) => [check, where, message]), [
    ["answers", "listThings", "a request got no answer: no answer within 0.2 s"],
  ]);
  // It was sent again to confirm; then two more go to the operation, and no others.
  for (const title of ["", "a", "a", "b"]) await list(title);
  equal(findings.length, 3);
  pending.abort();
});

Deno.test("a service that dies ends the run with one finding", async () => {
  // Else a request could be sent on a connection that is being closed, which is a finding of its own.
  const headers = { connection: "close" };
  const override: Override = ({ path }) =>
    path === "/openapi.json" ? new Response(documentOf(), { headers }) : respond(200, {}, headers);
  const setting = setUp({ override });
  const { open, tiers } = await run(planOf(setting.url, async (session) => {
    await setting[Symbol.asyncDispose]();
    await sendAlive(session);
  }));
  deepEqual(open.map(({ check, where }) => [check, where]), [["answers", "the service"]]);
  equal(tiers[1]!.skipped, "the service no longer answers");
});

const BOMB = new Uint8Array(gzipSync(new Uint8Array(60_000_000)));
Deno.test("an unreadable answer ends no run, and long answers do not fill the memory", async () => {
  const override: Override = ({ path }) =>
    path === "/api/alive"
      ? respond(200, "x", { "content-encoding": "gzip" })
      : path === "/api/list"
      ? respond(500, "x".repeat(200_000))
      : undefined;
  await using setting = setUp({ override });
  const { open, tiers } = await run(planOf(setting.url, async (session) => {
    for (const path of ["/api/alive", "/api/list", "/api/list", "/api/alive"]) {
      await session.send({ method: "GET", path }, { title: "" });
    }
  }));
  equal(tiers[1]!.skipped, undefined);
  const all = open.flatMap(({ findings }) => findings);
  const lengths = (check: string) =>
    all.filter((one) => one.check === check).map(({ exchange }) => exchange?.answer.text.length);
  deepEqual(lengths("no_server_error"), [100_000, undefined]);
  deepEqual(lengths("answers"), [0, undefined, undefined]);
});

Deno.test("send() leaves streams and bombs, and names what was given", async () => {
  const endless = () => new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(1_000_000)) });
  const answers: Readonly<Record<string, () => Response>> = {
    "/own": () => respond(200, {}),
    "/events": () => new Response(endless(), { headers: { "content-type": "text/event-stream" } }),
    "/long": () => new Response(endless()),
    "/bomb": () => new Response(BOMB, { headers: { "content-encoding": "gzip" } }),
  };
  const override: Override = ({ path, headers }) => {
    equal(headers.get("x-key"), path === "/own" ? "own" : "given");
    return answers[path]?.();
  };
  await using setting = setUp({ override });
  const headers = [["X-Key", "given"]] as const;
  for (const [path, most] of [["/events", 4], ["/long", 20], ["/bomb", 20]] as const) {
    const { body, isCut } = await send(setting.url, { method: "GET", path }, { headers });
    ok(isCut === true && body.length < most * 1_000_000, path);
  }
  const call = { method: "GET", path: "/own", headers: [["x-key", "own"]] as const };
  equal((await send(setting.url, call, { headers })).status, 200);
  const line = curlOf({ base: "", call: { method: "GET", path: "/" }, given: ["X-Key"] });
  equal(line, 'curl -i --path-as-is -X GET / -H "X-Key: $CONTRACT_HEADER_X_KEY"');
});
