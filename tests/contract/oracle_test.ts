/** @module What the oracle says of answers, and the http tier of services unlike the project's. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { parse } from "yaml";
import { readDocument } from "../../contract/document/read.ts";
import { Coverage } from "../../contract/run/coverage.ts";
import { judge } from "../../contract/oracle/oracle.ts";
import { emptyProfile } from "../../contract/oracle/profile.ts";
import { createSchemas } from "../../contract/document/schemas.ts";
import { httpTier } from "../../contract/tiers/http.ts";
import { type Override, respond, setUp } from "./small_service.ts";

const FILE = new URL("oracle_test.yaml", import.meta.url);
const { document: DOCUMENT, rows: ROWS }: {
  readonly document: unknown;
  readonly rows: [line: string, number, Record<string, string>, body: string, checks: string][];
} = parse(Deno.readTextFileSync(FILE));

Deno.test("the oracle tells what breaks a document or a MUST from what may be", () => {
  const document = readDocument(JSON.stringify(DOCUMENT));
  const coverage = new Coverage(document, () => undefined);
  const contract = { document, schemas: createSchemas(document), profile: emptyProfile("/") };
  const found = ROWS.map(([line, status, headers, text]) => {
    const [method = "", path = "", sent] = line.split(" ");
    const body = new TextEncoder().encode(text);
    const answer = { status, headers: new Headers(headers), body, text, ms: 1 };
    const about = { base: "http://a.example", tier: "http", title: "" };
    const exchange = { ...about, call: { method, path, ...sent && { body: sent } }, answer };
    coverage.count(exchange);
    const checks = judge(exchange, contract).map(({ check }) => check);
    return [line, status, headers, text, checks.join(" ")];
  });
  deepEqual(found, ROWS);
  const seen = coverage.cells.filter(({ seen }) => seen.size > 0);
  const cells = seen.map(({ operation, status }) => `${operation} ${status}`);
  deepEqual(cells, ["a 200", "make 2XX", "make default", "d default", "c 200"]);
});

Deno.test("a failure because of a body without UTF-8 is advice, unless its type is documented", () => {
  const document = readDocument(JSON.stringify({
    openapi: "3.1.0",
    paths: { "/a": { post: { requestBody: { content: { "application/json": {} } } } } },
  }));
  const contract = { document, schemas: createSchemas(document), profile: emptyProfile("/") };
  const answer = { status: 500, headers: new Headers(), body: new Uint8Array(), text: "", ms: 1 };
  const rows = [
    ["application/json", '{"a":"\\ud800"}', "undecodable_survived"],
    ["application/json", '{"\\udfff":1}', "undecodable_survived"],
    ["application/json", '{"a":"\\ud83d\\ude00"}', "no_server_error"],
    ["application/json", Uint8Array.of(0xff), "no_server_error"],
    ["", Uint8Array.of(0xff), "undecodable_survived"],
    ["application/json", new TextEncoder().encode('["\\ud800"]'), "undecodable_survived"],
    ["", Uint8Array.of(0x61), "no_server_error"],
  ] as const;
  const found = rows.map(([type, body]) => {
    const headers = [["content-type", type]] as const;
    const call = { method: "POST", path: "/a", headers, body };
    const exchange = { base: "http://a.example", tier: "properties", title: "", call, answer };
    return [type, body, judge(exchange, contract).map(({ check }) => check).join(" ")];
  });
  deepEqual(found, rows);
});

let answers = 0;

/** Answers to `GET /api/alive` and its HEAD with headers, or with what `change` makes of them. */
function alive(
  headers: Record<string, string>,
  change: (request: Parameters<Override>[0]) => Response | undefined = () => undefined,
): Override {
  return (request) => {
    if (request.path !== "/api/alive" || !/^(?:GET|HEAD)$/.test(request.method)) return undefined;
    return change(request) ?? Response.json({}, { headers });
  };
}

const head = (status: number, headers: Record<string, string> = {}) =>
  alive(
    { link: "</a>" },
    ({ method }) => method === "HEAD" ? new Response(null, { status, headers }) : undefined,
  );
const matching = (status: number, headers: Record<string, string>) =>
  alive(
    { etag: '"a"', "cache-control": "no-cache" },
    (request) =>
      request.headers.get("if-none-match")?.endsWith('"a"')
        ? new Response(status === 304 ? null : "{}", { status, headers })
        : undefined,
  );
const DATED = { "last-modified": "Sun, 06 Nov 1994 08:49:37 GMT" };
const JSON_TYPE = { "content-type": "application/json" };

const SERVICES: readonly (readonly [override: Override, checks: string])[] = [
  [alive({}), ""],
  [(request) => alive({ etag: `"${++answers}"`, "x-count": `${++answers}` })(request), ""],
  [head(405, { allow: "GET, HEAD" }), "allow head_offered"],
  [head(403), "head_equals_get"],
  [head(200, { ...JSON_TYPE, link: "</a>", "content-length": "99" }), "head_equals_get"],
  [head(200, { ...JSON_TYPE, "content-length": "2" }), "head_fields"],
  [head(200, { ...JSON_TYPE, link: "</a>", "content-length": "0" }), "head_fields"],
  [matching(304, { etag: '"a"', "cache-control": "no-cache" }), ""],
  [matching(304, { etag: '"a"' }), "not_modified"],
  [matching(304, { etag: '"a"', "cache-control": "no-store" }), "revalidation"],
  [matching(200, { ...JSON_TYPE, etag: '"a"', "cache-control": "no-cache" }), "not_modified"],
  [alive(DATED), "revalidation"],
  [({ path }) => path.includes("no-such") ? new Response("") : undefined, "unknown_path"],
  [
    ({ headers }) => headers.has("authorization") ? respond(403, { code: "wrong" }) : undefined,
    "authorization_ignored error_code status_common",
  ],
];

Deno.test("the http tier compares GET with HEAD and 304, except for what varies by nature", async () => {
  const found: (readonly [Override, string])[] = [];
  for (const [override] of SERVICES) {
    await using setting = setUp({ override });
    await httpTier.run(setting.session);
    const checks = new Set(setting.findings.map(({ check }) => check));
    checks.delete("options_offered"); // The small service has no OPTIONS.
    found.push([override, [...checks].toSorted().join(" ")]);
  }
  deepEqual(found, SERVICES);
});
