/** @module Runs on services that the harness does not know: what it sends, reports and survives. */

import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { curlOf } from "../../contract/exchange.ts";
import { createPermits, type Permission } from "../../contract/permits.ts";
import { readDocument } from "../../contract/document/read.ts";
import { run, type RunPlan } from "../../contract/run.ts";
import { EndedError, send } from "../../contract/client.ts";
import { isPassing } from "../../contract/finding.ts";
import { keepSecret, masked } from "../../contract/secrets.ts";
import type { Session } from "../../contract/session.ts";
import { TIERS } from "../../contract/tiers/tiers.ts";
import { copyFolder } from "../support/checkout.ts";
import { runDeno, type RunOptions, start } from "../support/command.ts";
import { documentOf, type Override, respond, setUp, withFolder } from "./small_service.ts";

const CONTRACT = new URL("../../contract/", import.meta.url);
const SECRET = "s3cr3t/t0ken&value";

function contract(args: readonly string[], options: RunOptions = {}) {
  const cwd = options.cwd ?? CONTRACT;
  return runDeno(["run", "-q", "-P", "main.ts", ...args], { ...options, cwd });
}

Deno.test("createPermits() sends what changes data only as far as it is permitted", () => {
  const document = readDocument(JSON.stringify({
    openapi: "3.1.0",
    paths: {
      "/a": { get: { operationId: "getA" }, post: { operationId: "addA", tags: ["t"] } },
      "/a/{id}": { delete: { operationId: "endA" } },
    },
  }));
  const all = ["GET /a", "POST /a", "PUT /a", "DELETE /a/1", "OPTIONS /b", "TRACE /a"];
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
    equal(
      permits(callOf("DELETE /a/1"), true),
      given.exclude?.[0] === "DELETE" ? "left out by --exclude" : undefined,
    );
  }
});

Deno.test("errors of use are one sentence with the option's name", async () => {
  const pages: Readonly<Record<string, Response>> = {
    "/page": new Response("<!doctype html><p>openapi"),
    "/old": respond(200, { openapi: "3.0.3", paths: {} }),
    "/down": respond(502, {}),
    "/half": new Response('{"openapi": "3.1.0", '),
  };
  const override: Override = ({ path }) => pages[path];
  await using setting = setUp({ override });
  await withFolder(async ({ pathname: folder }) => {
    const file = `${folder}file`;
    await Deno.writeTextFile(file, "x");
    const generic = `--url ${setting.url} --generic`;
    const rows: readonly (readonly [line: string, said: RegExp])[] = [
      [`${generic} --document /page`, /^--document \/page: it is an HTML page$/],
      [`${generic} --document /old`, /^--document \/old: .*3\.0\.3.*3\.1$/],
      [`${generic} --document /down`, /^--document \/down: .* answers 502$/],
      [`${generic} --document /half`, /^--document \/half: it is neither JSON nor YAML/],
      [`${generic} --document ${file}s`, /^--document \S+: .* answers 404$/],
      [`${generic} --document no.yaml`, /^--document no\.yaml: there is no such file$/],
      [`${generic} --exclude nothing`, /^--exclude: no operation has .* nothing$/],
      [`--url http://127.0.0.1:2 --generic`, /^Cannot reach \S+: nothing answers there$/],
      [`--only foo`, /^--only knows /],
      [`--report ${file}`, /^--report \S+ cannot be written: File exists/],
      [`--corpus ${file}/x`, /^--corpus \S+ cannot be written: Not a directory/],
      [`--waivers ${folder}`, /^--waivers: Cannot read .*Is a directory/],
      [`--waivers ${file}s`, /^--waivers: there is no such file$/],
      [`--replay ${file}s`, /^--replay: Cannot read /],
      [`--cases ${file}`, /^--cases: Cannot read profile\.yaml: Not a directory/],
    ];
    await Promise.all(rows.map(async ([line, said]) => {
      const { code, out, err } = await contract(line.split(" "));
      const [first = "", ...rest] = err.trimEnd().split("\n");
      equal(code, 2, line);
      match(first, said);
      ok(rest.length === 0 || /^deno task contract --help lists/.test(rest.join()), err + out);
    }));
  });
});

const SECURED = JSON.stringify({
  ...JSON.parse(documentOf()),
  servers: [{ url: "/v9" }],
  components: {
    schemas: JSON.parse(documentOf()).components.schemas,
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
  },
});

/** A service below /v9 that wants a key, and repeats it wherever it can. */
const secured: Override = ({ method, path, headers }) => {
  if (path === "/openapi.json") return new Response(SECURED);
  const isAlive = path === "/v9/api/alive";
  if (!isAlive && !path.startsWith("/v9/api/list")) return respond(404, {});
  const key = headers.get("x-key") ?? "";
  if (key !== SECRET) return respond(401, {});
  if (method !== "GET") return respond(500, { key, url: `/?${encodeURIComponent(key)}` });
  return new Response(`{"key": "<${key}"`, { headers: { "x-key": key, "content-type": key } });
};

Deno.test("a wrong base and absent credentials are one finding each, and a secret is in no output", async () => {
  await using setting = setUp({ override: secured });
  await withFolder(async ({ pathname: folder }) => {
    const copy = `${folder}copy`;
    await copyFolder(CONTRACT, copy);
    const files = () => Array.from(Deno.readDirSync(`${copy}/corpus`), ({ name }) => name);
    const before = files();
    const base = ["--url", `${setting.url}/v9`, "--generic"];
    const outputs = ["--report", `${folder}report`, "--corpus", `${folder}corpus`, "--annotate"];
    const env = { CONTRACT_HEADER_X_KEY: SECRET };
    const [wrong, closed, opened, clean] = await Promise.all([
      contract(["--url", setting.url, "--generic"], { cwd: copy }),
      contract(base, { cwd: copy }),
      contract([...base, "--header", "X-Key", ...outputs], { cwd: copy, env }),
      contract([...base, "--header", `X-Key: ${SECRET}`], { cwd: copy }),
    ]);
    match(
      wrong.out,
      new RegExp(`^✗ the service: every path is 404: .* try --url ${base[1]}$`, "m"),
    );
    match(closed.out, /^✗ the service: every operation answers 401: .*'X-Key: …' \(scheme key\)$/m);
    for (const { code, out } of [wrong, closed]) {
      equal(code, 1, out);
      match(out, /: 1 breach, 0 advice, 0 not covered$/m);
      match(out, /^ {2}http +not run: every /m);
    }
    match(opened.out, /-H "X-Key: \$CONTRACT_HEADER_X_KEY"/);
    match(opened.out, /^Set CONTRACT_HEADER_X_KEY first/m);
    match(opened.out, /^::error title=/m);
    const reports = ["report.html", "report.json", "junit.xml"].map((name) => `report/${name}`);
    const stored = Array.from(Deno.readDirSync(`${folder}corpus`), ({ name }) => `corpus/${name}`);
    ok(stored.length > 0);
    const texts = [...reports, ...stored].map((name) => Deno.readTextFileSync(folder + name));
    for (const text of [...texts, ...[opened, clean].flatMap(({ out, err }) => [out, err])]) {
      equal(/s3cr3t|t0ken/.test(text), false, text);
    }
    deepEqual(files(), before);
  });
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
    ]
      .map((text) => [`<${text}>`, "<***>"] as const),
  ] as const;
  for (const [text, shown] of rows) equal(masked(text), shown);
});

function planOf(url: string, test: (session: Session) => Promise<void>): RunPlan {
  const tier = { name: "one", tries: "", live: true, run: test };
  const next = { ...tier, name: "next", run: alive };
  const effort = { live: false, complete: false, seed: 42, examples: 1, waivers: [] };
  const place = { cases: undefined, corpus: undefined, launcher: undefined };
  return { url, ...effort, ...place, tiers: [tier, next] };
}

Deno.test("every tier sends only what is permitted", async () => {
  const rows: readonly (readonly [Partial<Permission>, sent: RegExp])[] = [
    [{ only: ["addThing"] }, /^(?:(?:POST|GET|HEAD|OPTIONS) \/api\/things|GET \/openapi\.json)$/],
    [{ exclude: ["HEAD", "OPTIONS"] }, /^(?:GET |get |POST |OPTIONS \/\*$)/],
    [{ exclude: ["/api/*"] }, /^(?!\S+ \/api\/(?:things|list|alive))/],
    [{ live: true }, /^(?:GET|HEAD|OPTIONS) /],
  ];
  for (const [permission, sent] of rows) {
    await using setting = setUp();
    const tiers = TIERS.filter(({ startsInstances }) => !startsInstances);
    const plan = { ...planOf(setting.url, alive), tiers, examples: 2 };
    const { open } = await run({ ...plan, ...permission });
    deepEqual(open.filter(({ check }) => check === "harness_error"), []);
    const lines = setting.requests.map(({ method, path }) => `${method} ${path}`);
    ok(lines.length > 1);
    deepEqual(lines.filter((line) => !sent.test(line)), []);
  }
});

async function alive(session: Session): Promise<void> {
  await session.send({ method: "GET", path: "/api/alive" }, { title: "alive" });
}

Deno.test("what ends a tier ends no run", async () => {
  const rows:
    readonly (readonly [name: string, test: (session: Session) => Promise<void>, found: RegExp])[] =
      [
        [
          "a bug",
          () => Promise.reject(new TypeError("x is no y")),
          /^harness_error tier one: x is no y/,
        ],
        ["a call that must not be sent", async (session) => {
          await session.send({ method: "DELETE", path: "/api/alive" }, { title: "" });
        }, /^harness_error tier one: DELETE \/api\/alive must not be sent/],
        ["a note", () => Promise.reject(new EndedError("enough")), /^$/],
      ];
  for (const [name, test, found] of rows) {
    await using setting = setUp();
    const { open, tiers, failed } = await run(planOf(setting.url, test));
    match(open.map(({ check, where, message }) => `${check} ${where}: ${message}`).join(), found);
    equal(tiers[1]!.exchanges, 1, name);
    equal(failed, found.source.includes("harness"));
  }
});

Deno.test("a fault is reported once it has come twice, and otherwise marked", async () => {
  let sent = 0;
  const flaky: Override = ({ path }) =>
    path === "/api/alive" && sent++ === 1 ? respond(500, {}) : undefined;
  const steady: Override = ({ path }) => path === "/api/alive" ? respond(500, {}) : undefined;
  for (const [override, passes] of [[flaky, true], [steady, false]] as const) {
    await using setting = setUp({ override });
    const { open, held } = await run(planOf(setting.url, alive));
    deepEqual([isPassing(open[0]!), held], [passes, passes]);
    const strict = await run({ ...planOf(setting.url, alive), strict: true });
    equal(strict.held, passes, "the service answers now");
  }
});

Deno.test("a request without answer in time is a finding, and many end the tier", async () => {
  const pending = new AbortController();
  const never = () =>
    new ReadableStream({ start: (c) => pending.signal.onabort = () => c.close() });
  const override: Override = ({ path }) => path === "/api/list" ? new Response(never()) : undefined;
  await using setting = setUp({ override, timeoutMs: 200 });
  const { session, findings } = setting;
  const list = () => session.send({ method: "GET", path: "/api/list" }, { title: "" });
  const exchange = await list();
  session.report({ check: "allow", message: "of no answer", exchange });
  equal(
    (await session.send({ method: "GET", path: "/api/alive" }, { title: "" })).answer.status,
    200,
  );
  deepEqual(findings.map(({ check, where, message }) => [check, where, message]), [
    ["answers", "listThings", "a request got no answer: no answer within 0.2 s"],
  ]);
  await rejects(async () => {
    for (;;) await list();
  }, EndedError);
  pending.abort();
});

Deno.test("a service that dies ends the run with one finding", async () => {
  const setting = setUp();
  const { open, tiers } = await run(planOf(setting.url, async (session) => {
    await setting[Symbol.asyncDispose]();
    await alive(session);
  }));
  deepEqual(open.map(({ check, where }) => [check, where]), [["answers", "the service"]]);
  equal(tiers[1]!.skipped, "the service no longer answers");
});

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
  const types = ["text/event-stream", "application/octet-stream"];
  const bomb = () => endless().pipeThrough(new CompressionStream("gzip"));
  const override: Override = ({ path, headers }) => {
    equal(headers.get("x-key"), path === "/own" ? "own" : "given");
    if (path === "/own") return respond(200, {});
    const head = { "content-type": types[Number(path === "/long")]! };
    return path === "/bomb"
      ? new Response(bomb(), { headers: { "content-encoding": "gzip" } })
      : new Response(endless(), { headers: head });
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

Deno.test("SIGINT and SIGTERM end a run with its report", async () => {
  let asked = Promise.withResolvers<void>();
  const override: Override = ({ path, method }) => {
    if (path !== "/api/list" || method !== "GET") return undefined;
    asked.resolve();
    return new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
  };
  await using setting = setUp({ override });
  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    asked = Promise.withResolvers<void>();
    await withFolder(async ({ pathname: folder }) => {
      const options = ["--url", setting.url, "--generic", "--report", folder];
      const line = [Deno.execPath(), "run", "-q", "-P", "main.ts", ...options];
      const running = start(line, { cwd: CONTRACT });
      await asked.promise;
      equal(await running.end(signal), code, running.output());
      match(await Deno.readTextFile(`${folder}report.json`), /"interrupted"/);
    });
  }
});
