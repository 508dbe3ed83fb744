/**
 * @module Every error of the API: its status, its code, its shape, and that it repeats nothing of
 * what was sent (specification §7; the error table of the design).
 */

import {
  deepStrictEqual as deepEqual,
  doesNotMatch,
  match,
  ok,
  strictEqual as equal,
} from "node:assert/strict";
import { ApiError } from "../../schemas/api_error.ts";
import { mustBe } from "../support/must_be.ts";
import { LEAD, SITE_URL, type TestApp, type TestAppOptions, withApp } from "../support/test_app.ts";

/** Stands in everything that is sent; no answer and no log line may hold it. */
const MARKER = "zzMarkerzz";

const JSON_TYPE = "application/json";
const READABLE = "GET, HEAD, OPTIONS";
const BOM = "\u{FEFF}";
const KIB_64 = 64 * 1024;

/** Headers and a query that carry the marker with every request. */
const MARKED = {
  "authorization": `Bearer ${MARKER}`,
  "cookie": `session=${MARKER}`,
  "origin": `https://${MARKER}.example`,
  "user-agent": MARKER,
  "x-request-id": MARKER,
  "accept": `text/html, text/${MARKER}`,
};

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** A POST to /api/lead; `type: null` sends no Content-Type. */
function post(
  { request }: TestApp,
  body: Body,
  { type = JSON_TYPE, headers = {} }: { type?: string | null; headers?: Record<string, string> } =
    {},
): Promise<Response> {
  const sent = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return request(`/api/lead?${MARKER}=${MARKER}`, {
    method: "POST",
    headers: { ...MARKED, ...headers, ...(type === null ? {} : { "content-type": type }) },
    body: sent,
  });
}

/** Checks status, media type, headers and body of an error; returns what `error` holds. */
async function checkError(
  { lines }: TestApp,
  response: Response,
  { status, code }: { status: number; code: string },
): Promise<ApiError["error"]> {
  equal(response.status, status);
  equal(response.headers.get("content-type"), JSON_TYPE);
  equal(response.headers.get("cache-control"), "no-store");
  equal(response.headers.get("x-content-type-options"), "nosniff");
  equal(response.headers.get("access-control-allow-origin"), "*");
  const text = await response.text();
  const { error } = mustBe(ApiError, JSON.parse(text));
  equal(error.code, code);
  equal(error.docs, `${SITE_URL}/developers`);
  match(error.message, /^[A-Z].+\.$/);
  ok(error.hint.includes(SITE_URL), "the hint names a URL of this host");
  doesNotMatch(error.hint, /[{}]/);
  equal("details" in error, code === "invalid_lead");
  const told = JSON.stringify([text, [...response.headers], lines]).toLowerCase();
  ok(!told.includes(MARKER.toLowerCase()), "what was sent is repeated");
  return error;
}

/** A body of that many bytes that is a valid lead. */
function leadOf(bytes: number): string {
  return JSON.stringify({ ...LEAD, company: MARKER }).padEnd(bytes, " ");
}

function streamed(text: string, chunk = 10_000): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at += chunk));
    },
  });
}

/** Bodies that are not JSON in UTF-8. */
const NOT_JSON: readonly (readonly [string, string | Uint8Array<ArrayBuffer>])[] = [
  ["an empty body", ""],
  ["a blank body", " \r\n\t"],
  ["a word", MARKER],
  ["a broken object", `{"email":"${MARKER}`],
  ["two values", `{"email":"${MARKER}"} {}`],
  ["a trailing comma", `{"${MARKER}":1,}`],
  ["single quotes", `{'${MARKER}':1}`],
  ["a comment", `{} // ${MARKER}`],
  ["NaN", "NaN"],
  ["a form", `email=${MARKER}%40example.com&company=x&locale=en`],
  ["a raw line break in a string", `{"company":"${MARKER}\n"}`],
  ["a byte order mark before a valid lead", BOM + JSON.stringify(LEAD)],
  ["a byte order mark alone", BOM],
  ["a byte that is not UTF-8", Uint8Array.from([0x22, 0xff, 0x22])],
  ["an overlong form", Uint8Array.from([0x22, 0xc0, 0xaf, 0x22])],
  ["a surrogate in UTF-8", Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ["a truncated character", Uint8Array.from([0x22, 0xe2, 0x82, 0x22])],
  ["UTF-16", Uint8Array.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
  ["gzip", Uint8Array.from([0x1f, 0x8b, 0x08, 0x00])],
];

for (const [what, body] of NOT_JSON) {
  Deno.test(`${what} is 400 invalid_json`, () =>
    withApp(async (app) => {
      await checkError(app, await post(app, body), { status: 400, code: "invalid_json" });
    }));
}

Deno.test("a POST without any body is 400 invalid_json", () =>
  withApp(async (app) => {
    const init = { method: "POST", headers: { "content-type": JSON_TYPE } };
    const response = await app.request("/api/lead", init);
    await checkError(app, response, { status: 400, code: "invalid_json" });
  }));

/** Values of Content-Type that do not declare JSON; null: the header is not sent. */
const NOT_JSON_TYPES = [
  ...[null, "", ";application/json", "json", "text/json", "text/plain"],
  ...["text/plain; application/json", "application/jsonp", "application/json5"],
  ...["application/ld+json", "application/json, application/json", `${MARKER}/${MARKER}`],
  ...["application/x-www-form-urlencoded", `multipart/form-data; boundary=${MARKER}`],
];

for (const type of NOT_JSON_TYPES) {
  Deno.test(`a lead with Content-Type ${JSON.stringify(type)} is 400 unsupported_media_type`, () =>
    withApp(async (app) => {
      const response = await post(app, JSON.stringify(LEAD), { type });
      await checkError(app, response, { status: 400, code: "unsupported_media_type" });
    }));
}

/** Bodies of more than 64 KiB, or said to be, and what announces them. */
const TOO_LARGE: readonly (readonly [string, () => Body, Record<string, string>])[] = [
  ["one byte too long, announced", () => leadOf(KIB_64 + 1), { "content-length": "65537" }],
  ["one byte too long, streamed", () => streamed(leadOf(KIB_64 + 1)), {}],
  // In few pieces: what comes after the answer is thrown away with pauses, which would outlive the test.
  ["far too long, streamed", () => streamed(leadOf(1_000_000), 20_000), {}],
  ["far too long, announced as short", () => leadOf(1_000_000), { "content-length": "2" }],
  ["short, announced as far too long", () => leadOf(200), { "content-length": "99999999999" }],
];

for (const [what, body, headers] of TOO_LARGE) {
  Deno.test(`a body ${what}, is 400 body_too_large`, () =>
    withApp(async (app) => {
      const response = await post(app, body(), { headers });
      await checkError(app, response, { status: 400, code: "body_too_large" });
    }));
}

/** JSON that is no LeadRequest, with the marker wherever a value or a name can stand. */
const NOT_LEADS: readonly (readonly [string, unknown])[] = [
  ["a string", MARKER],
  ["an array", [MARKER]],
  ["null", null],
  ["an unknown member", { ...LEAD, [MARKER]: MARKER }],
  ["an unknown member deep inside", { ...LEAD, message: { [MARKER]: MARKER } }],
  ["wrong values", { email: MARKER, company: MARKER.repeat(99), locale: MARKER, plan: MARKER }],
  ["a filled honeypot", { ...LEAD, website: `https://${MARKER}.example` }],
  ["a member that is a path", { ...LEAD, [`/${MARKER}~1`]: 1 }],
];

for (const [what, body] of NOT_LEADS) {
  Deno.test(`${what} is 400 invalid_lead, with the issues`, () =>
    withApp(async (app) => {
      const response = await post(app, JSON.stringify(body));
      const error = await checkError(app, response, { status: 400, code: "invalid_lead" });
      const { issues } = error.details as { issues: Record<string, unknown>[] };
      ok(issues.length > 0);
      for (const issue of issues) {
        deepEqual(Object.keys(issue), ["path", "rule", "message"]);
        for (const value of Object.values(issue)) equal(typeof value, "string");
      }
    }));
}

/** The limits that refuse, and what the client has left then. */
const LIMITS: readonly (readonly [string, Record<string, string>])[] = [
  ['"lead";r=0;t=60, "attempt";r=118;t=1', { LEAD_RATE_LIMIT: "1/1m" }],
  ['"lead";r=19;t=30, "attempt";r=0;t=60', { LEAD_ATTEMPT_LIMIT: "1/1m" }],
];

for (const [left, env] of LIMITS) {
  Deno.test(`beyond ${JSON.stringify(env)} a lead is 429 rate_limited`, () =>
    withApp(async (app) => {
      const first = await app.postLead(LEAD);
      equal(first.status, 200);
      await first.body?.cancel();
      const response = await post(app, JSON.stringify({ ...LEAD, company: MARKER }));
      equal(response.headers.get("retry-after"), "60");
      equal(response.headers.get("ratelimit"), left);
      await checkError(app, response, { status: 429, code: "rate_limited" });
    }, { env }));
}

const fail = (): never => {
  throw new Error(`KV is down ${MARKER}`);
};
const DEAD_KV: TestAppOptions = {
  wrapKv: () => ({ get: fail, getMany: fail, list: fail, atomic: fail }),
};

Deno.test("a lead that can be held nowhere is 502 lead_not_stored", () =>
  withApp(async (app) => {
    const response = await post(app, JSON.stringify({ ...LEAD, company: MARKER }));
    equal(response.headers.get("ratelimit"), '"lead";r=19;t=30, "attempt";r=119;t=1');
    await checkError(app, response, { status: 502, code: "lead_not_stored" });
  }, DEAD_KV));

for (
  const path of ["/api/health", "/api/site", "/api/lead", "/openapi.json", "/api/openapi.yaml"]
) {
  Deno.test(`PUT ${path} is 405 method_not_allowed`, () =>
    withApp(async (app) => {
      const body = JSON.stringify({ [MARKER]: MARKER });
      const init = { method: "PUT", headers: { ...MARKED, "content-type": JSON_TYPE }, body };
      const response = await app.request(`${path}?${MARKER}`, init);
      equal(response.headers.get("allow"), path === "/api/lead" ? "POST, OPTIONS" : READABLE);
      await checkError(app, response, { status: 405, code: "method_not_allowed" });
    }));
}

/** What a bug may throw. */
const BUGS: readonly (readonly [string, () => unknown])[] = [
  ["an error", () => new Error(MARKER)],
  ["an error whose message looks like a stack", () => new Error(`bad\n    at ${MARKER}`)],
  ["an error whose cause quotes", () => new TypeError("bad", { cause: new Error(MARKER) })],
  ["an error without a stack", () => Object.assign(new Error(MARKER), { stack: undefined })],
  ["a string", () => MARKER],
];

for (const [what, thrown] of BUGS) {
  Deno.test(`a bug that throws ${what} is 500 internal_error, logged by its request id alone`, () =>
    withApp(async (app) => {
      app.leads.intake.submit = () => Promise.reject(thrown());
      const response = await post(app, JSON.stringify(LEAD));
      const requestId = response.headers.get("x-request-id") ?? "";
      match(requestId, /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
      await checkError(app, response, { status: 500, code: "internal_error" });
      deepEqual(app.lines.map(({ level, event }) => [level, event]), [["error", "request.failed"]]);
      equal(app.lines[0]?.["requestId"], requestId);
    }));
}

/** Paths under /api/ that are not defined. */
const UNDEFINED_PATHS = [
  ...["/api/", "/api/nothing", `/api/${MARKER}`, "/api/health/", "/api/Health", "/api/health.json"],
  ...["/api//health", "/api/lead/1", "/api/leads", "/api/v1/lead", "/api/openapi.json"],
  ...["/api/openapi.yml", "/api/graphql", "/api/mcp", "/api/webhooks", "/api/agents"],
  ...[`/api/%3Cscript%3E${MARKER}`, "/api/%00", "/api/%", "/api/%ff", "/api/..%2fopenapi.json"],
  ...["/api/__proto__", "/api/constructor", `/api/${"x".repeat(4_000)}`, "/api/*", "/api/:path"],
];

for (const path of UNDEFINED_PATHS) {
  Deno.test(`${path.slice(0, 40)} is 404 not_found`, () =>
    withApp(async (app) => {
      const response = await app.request(`${path}?q=${MARKER}`, { headers: MARKED });
      await checkError(app, response, { status: 404, code: "not_found" });
    }));
}

for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "PROPFIND", "FOO"]) {
  Deno.test(`${method} on an undefined API path is 404 not_found, not 405`, () =>
    withApp(async (app) => {
      const response = await app.request("/api/nothing", { method, headers: MARKED });
      equal(response.headers.get("allow"), null);
      await checkError(app, response, { status: 404, code: "not_found" });
    }));
}

Deno.test("HEAD on an undefined API path is 404 without a body", () =>
  withApp(async ({ request }) => {
    const response = await request("/api/nothing", { method: "HEAD" });
    equal(response.status, 404);
    equal(response.headers.get("content-type"), JSON_TYPE);
    equal(await response.text(), "");
  }));
