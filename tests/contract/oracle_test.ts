/** @module What the oracle says of answers, and the http tier of services unlike the project's. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { readDocument } from "../../contract/document/read.ts";
import { createMatrix } from "../../contract/matrix.ts";
import { judge } from "../../contract/oracle/oracle.ts";
import { emptyProfile } from "../../contract/profile.ts";
import { createSchemas } from "../../contract/schema.ts";
import { httpTier } from "../../contract/tiers/http.ts";
import { type Override, respond, setUp } from "./small_service.ts";

const DOCUMENT = `
openapi: 3.1.0
info: { title: Things, version: "1" }
components:
  schemas: { Ids: { type: array, items: { type: integer }, minItems: 2 } }
  headers: { Ids: { schema: { $ref: "#/components/schemas/Ids" } } }
  responses:
    A:
      description: x
      headers:
        X-Ids: { $ref: "#/components/headers/Ids" }
        X-Map: { schema: { type: object, properties: { n: { type: integer } } } }
        X-N: { required: true, schema: { type: [integer, "null"] } }
        Content-Type: { required: true, schema: { type: integer } }
      content:
        application/json: { schema: { type: object, required: [n] } }
        application/xml: { schema: { type: object } }
        application/pdf: { schema: { type: string, maxLength: 1 } }
        application/x-ndjson: { schema: { type: array } }
        text/*: { schema: { type: string, maxLength: 3 } }
paths:
  /a:
    get: { operationId: a, responses: { "200": { $ref: "#/components/responses/A" } } }
    post: { operationId: make, responses: { 2XX: { description: x }, default: { description: x } } }
  /b: { get: { operationId: b, responses: { "201": { description: x } } } }
  /c/all: { post: { operationId: all, responses: { "200": { description: x } } } }
  /c/{id}:
    get: { operationId: c, security: [{ key: [] }], responses: { "200": { description: x } } }
`;

const OK = { "content-type": "application/json", "x-n": "1" };
const BODY = '{"n":1}';

type Row = readonly [
  line: string,
  status: number,
  headers: Record<string, string>,
  body: string,
  checks: string,
];

const ROWS: readonly Row[] = [
  // Media types, headers and bodies.
  ["GET /a", 200, OK, BODY, ""],
  ["GET /a", 200, { ...OK, "content-type": "application/json; charset=UTF-8" }, BODY, ""],
  ["GET /a", 200, { ...OK, "content-type": "image/png" }, BODY, "media_type"],
  ["GET /a", 200, { ...OK, "content-type": "application/xml" }, "<a/>", ""],
  ["GET /a", 200, { ...OK, "content-type": "application/x-ndjson" }, "{}\n{}", ""],
  ["GET /a", 200, { ...OK, "content-type": "application/pdf" }, "%PDF", ""],
  ["GET /a", 200, { ...OK, "content-type": "text/csv" }, "abc", ""],
  ["GET /a", 200, { ...OK, "content-type": "text/csv" }, "abcd", "body_schema"],
  ["GET /a", 200, OK, "{}", "body_schema"],
  ["GET /a", 200, OK, "", "body_schema"],
  ["GET /a", 200, { ...OK, "x-n": "" }, BODY, ""],
  ["GET /a", 200, { ...OK, "x-n": "1.5" }, BODY, "response_headers"],
  ["GET /a", 200, { ...OK, "x-ids": "1, 2" }, BODY, ""],
  ["GET /a", 200, { ...OK, "x-ids": "1" }, BODY, "response_headers"],
  ["GET /a", 200, { ...OK, "x-map": "n,1,m,2" }, BODY, ""],
  ["GET /a", 200, { ...OK, "x-map": "n=1,m=2" }, BODY, ""],
  ["GET /a", 200, { ...OK, "x-map": "n=a" }, BODY, "response_headers"],
  ["GET /a", 200, { "content-type": "application/json" }, BODY, "response_headers"],
  ["HEAD /a", 200, {}, "", "head_fields"],
  // Statuses.
  ["GET /a", 500, { "retry-after": "soon" }, "", "no_server_error"],
  ["POST /a", 500, {}, "", "no_server_error"],
  ["POST /a", 501, {}, "", ""],
  ["POST /a", 418, {}, "", ""],
  ["GET /a", 503, { "retry-after": "Sun, 06 Nov 1994 08:49:37 GMT" }, "", "unavailable"],
  ["GET /none", 504, {}, "", "unavailable"],
  ["GET /a", 404, {}, "", "status_documented"],
  ["GET /c/1", 404, {}, "", "status_common"],
  ["GET /c/1", 200, {}, "", ""],
  ["GET /c/%00", 400, {}, "", "status_common"],
  ["GET /c/1", 400, {}, "", "status_documented"],
  ["GET /c/1", 405, { allow: "PUT" }, "", "status_common"],
  ["GET /c/all", 405, { allow: "POST" }, "", ""],
  ["GET /c/1", 403, {}, "", "status_common"],
  ["GET /c/1", 401, { "www-authenticate": "Key" }, "", "status_common"],
  ["GET /b", 401, { "www-authenticate": "Key" }, "", "status_documented"],
  ["GET /c/1", 401, {}, "", "status_common challenge_on_401"],
  ["GET /b", 307, { location: "/b/" }, "", "redirected"],
  ["GET /b", 307, { location: "/login" }, "", "status_documented"],
  // Methods that the path does not document.
  ["PUT /b", 501, {}, "", ""],
  ["PUT /b", 405, { allow: "GET" }, "", ""],
  ["PUT /b", 405, {}, "", "allow_on_405"],
  ["PUT /b", 404, {}, "", "method_not_allowed"],
  ["PUT /c/1", 404, {}, "", ""],
  ["PUT /b", 200, { "content-type": "text/html" }, "", "method_not_allowed"],
  ["PUT /b", 200, {}, "", "method_undocumented"],
  ["OPTIONS /b", 404, {}, "", "options_offered"],
  ["OPTIONS /b", 200, {}, "", ""],
  ["HEAD /b", 405, { allow: "GET" }, "", ""],
  // HTTP.
  ["POST /a", 429, { "retry-after": "soon" }, "", "retry_after"],
  ["POST /a", 429, {}, "", "retry_after_useful"],
  ["POST /a", 204, { "content-length": "0" }, "", "no_content"],
  ["POST /a", 304, { "content-type": "text/css" }, "", "revalidation"],
];

Deno.test("the oracle tells what breaks a document or a MUST from what may be", () => {
  const document = readDocument(DOCUMENT);
  const matrix = createMatrix(document, () => undefined);
  const contract = { document, schemas: createSchemas(document), profile: emptyProfile("/") };
  const found = ROWS.map(([line, status, headers, text]) => {
    const [method, path] = line.split(" ") as [string, string];
    const body = new TextEncoder().encode(text);
    const answer = { status, headers: new Headers(headers), body, text, ms: 1 };
    const about = { base: "http://a.example", tier: "http", title: "" };
    const exchange = { ...about, call: { method, path }, answer };
    matrix.count(exchange);
    return [
      line,
      status,
      headers,
      text,
      judge(exchange, contract).map(({ check }) => check).join(" "),
    ];
  });
  deepEqual(found, ROWS);
  const seen = matrix.cells().filter(({ seen }) => seen.size > 0);
  const cells = seen.map(({ operation, status }) => `${operation} ${status}`);
  deepEqual(cells, ["a 200", "make 2XX", "make default", "c 200"]);
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

Deno.test("the http tier learns from lists, and tries what needs credentials without them", async () => {
  const item = (more: object) => ({ get: { responses: { 200: { description: "x" } }, ...more } });
  const id = { name: "id", in: "path", required: true, schema: { type: "integer" } };
  const paths = {
    "/c/{id}": { parameters: [id], ...item({ operationId: "c", security: [{ key: [] }] }) },
    "/c": item({ operationId: "list" }),
  };
  const components = { schemas: { Fault: {} } };
  const info = { title: "C", version: "1" };
  const text = JSON.stringify({ openapi: "3.1.0", info, components, paths });
  const open: Override = ({ path }) =>
    path === "/c" ? respond(200, [{ id: 7 }]) : path === "/c/7" ? respond(200, {}) : undefined;
  const asking: Override = (request) =>
    request.path === "/c/7" && request.headers.has("authorization")
      ? respond(401, {}, { "www-authenticate": "Key" })
      : open(request);
  const found: number[] = [];
  for (const override of [open, asking]) {
    await using setting = setUp({ text, override });
    await httpTier.run(setting.session);
    found.push(setting.findings.filter(({ check }) => check === "credentials_required").length);
  }
  deepEqual(found, [1, 0]);
});
