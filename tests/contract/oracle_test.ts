/** @module The oracle: each of its rules finds the answer that breaks it, and none finds more. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { readDocument } from "../../contract/document.ts";
import type { Call, Exchange } from "../../contract/exchange.ts";
import type { Law } from "../../contract/oracle/check.ts";
import { CHECKS, judge } from "../../contract/oracle/oracle.ts";
import { createSchemas } from "../../contract/schema.ts";

const json = (schema: unknown) => ({ content: { "application/json": { schema } } });

const DOCUMENT = readDocument(JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Things", version: "1" },
  paths: {
    "/api/things": {
      get: {
        operationId: "things",
        responses: {
          200: {
            description: "x",
            headers: { "X-Count": { required: true, schema: { type: "integer" } } },
            ...json({ type: "object", properties: { more: { type: "integer" } } }),
          },
          400: { description: "x", ...json({}) },
          429: { description: "x", ...json({}) },
        },
      },
    },
  },
  components: { schemas: { Fault: { type: "object", required: ["code"] } } },
}));

const LAW: Law = {
  document: DOCUMENT,
  schemas: createSchemas(DOCUMENT),
  profile: {
    document: "/openapi.json",
    errors: {
      under: "/api/",
      schema: "Fault",
      not_empty: ["/hint"],
      code: "/code",
      codes: { "400": ["wrong"], "404": ["unknown"], "405": ["method"], "429": ["limited"] },
    },
    bodies: {},
    says: { things: { "/ok": true } },
    pages: [],
    faults: {},
  },
};

/** What comes back, where it is not the right answer to a GET of the things. */
interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly call?: Partial<Call>;
  readonly markers?: readonly string[];
}

/** The rules that a reply breaks. */
function brokenBy({ status = 200, headers = {}, body, call, markers = [] }: Reply): string[] {
  const text = typeof body === "string" ? body : JSON.stringify(body ?? { ok: true });
  const type: Record<string, string> = status === 304 ? {} : { "content-type": "application/json" };
  const exchange: Exchange = {
    base: "http://127.0.0.1",
    call: { method: "GET", path: "/api/things", ...call },
    answer: {
      status,
      headers: new Headers({ ...type, "x-count": "1", ...headers }),
      body: new TextEncoder().encode(text),
      text,
      ms: 1,
    },
    tier: "cases",
    title: "a reply",
    markers,
  };
  return judge(exchange, LAW).map(({ check }) => check);
}

const error = (code: string) => ({ code, hint: "Try again." });
const REFUSED: Reply = { status: 405, body: error("method"), call: { method: "PUT" } };
const CONDITION = { headers: [["if-none-match", '"a"']] } as const;
const TAGGED = { etag: '"a"', "cache-control": "no-cache" };

Deno.test("right answers break no rule", () => {
  const right: readonly Reply[] = [
    {},
    { status: 400, body: error("wrong") },
    { status: 429, body: error("limited"), headers: { "retry-after": "1" } },
    { ...REFUSED, headers: { allow: "GET, HEAD, OPTIONS" } },
    { status: 404, body: error("unknown"), call: { path: "/api/none" } },
    { status: 404, body: "none", call: { path: "/none" } },
    { status: 304, body: "", headers: TAGGED, call: CONDITION },
    { status: 204, body: "", call: { method: "OPTIONS" } },
  ];
  deepEqual(right.flatMap(brokenBy), []);
});

/** Replies that break one rule and no other. */
const WRONG: readonly (readonly [rule: string, what: string, reply: Reply])[] = [
  ["no_server_error", "fails elsewhere", { status: 500, body: "x", call: { path: "/none" } }],
  ["status_documented", "has another status", { status: 202 }],
  ["status_documented", "takes a method that is not documented", { call: { method: "PUT" } }],
  ["media_type", "is called something else", { headers: { "content-type": "text/json" } }],
  ["response_headers", "has a header that is no number", { headers: { "x-count": "many" } }],
  ["body_schema", "has a member of another type", { body: { ok: true, more: "1" } }],
  ["success_says", "is a success that says it is none", { body: { ok: false } }],
  ["error_shape", "is an error of another shape", {
    status: 400,
    body: { ...error("wrong"), hint: "" },
  }],
  ["error_code", "is an error with another status's code", { status: 400, body: error("limited") }],
  ["no_echo", "is an error that repeats what was sent", {
    status: 400,
    body: { ...error("wrong"), was: "zz81-marker" },
    markers: ["zz81-marker"],
  }],
  ["allow_on_405", "refuses a method and names none", REFUSED],
  ["retry_after", "refuses and does not say for how long", { status: 429, body: error("limited") }],
  ["not_modified", "is a 304 without entity tag", {
    status: 304,
    body: "",
    headers: { "cache-control": "no-cache" },
    call: CONDITION,
  }],
  ["not_modified", "is a 304 with a media type", {
    status: 304,
    body: "",
    headers: { ...TAGGED, "content-type": "text/html" },
    call: CONDITION,
  }],
];

for (const [rule, what, reply] of WRONG) {
  Deno.test(`${rule} finds an answer that ${what}, and no other rule does`, () => {
    deepEqual(brokenBy(reply), [rule]);
  });
}

Deno.test("every rule has an answer that breaks it", () => {
  const rules = new Set(WRONG.map(([rule]) => rule));
  deepEqual(CHECKS.map(({ name }) => name).filter((name) => !rules.has(name)), []);
});
