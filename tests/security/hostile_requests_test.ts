/**
 * @module Requests that mean harm, against the real service: bodies made to be costly or to reach into
 * the program, fields that claim to be somebody else. What they are answered, in what time, and that
 * the next honest request is answered as before. HTTP as it should not be is in
 * `contract/cases/raw.yaml`.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { leadRequest, RawClient } from "../support/raw_client.ts";
import { withRunningService } from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";

/** Beyond any limit of attempts; each request has an address of its own besides. */
const ENV = { TRUSTED_PROXY_HOPS: "1" };
let clients = 0;

function anyAddress(): string {
  clients++;
  return `10.9.${clients >> 8}.${clients & 255}`;
}

const KIB_64 = 64 * 1024;
const lead = JSON.stringify(LEAD);

/** Fits into the 64 KiB that are read. */
function filled(head: string, { unit, tail = "" }: { unit: string; tail?: string }): string {
  return head + unit.repeat(Math.floor((KIB_64 - head.length - tail.length) / unit.length)) + tail;
}

const members = Array.from({ length: 6_000 }, (_, n) => `"k${n}":1`).join(",");
const arrays = (KIB_64 - 2) / 2;

/** A body, and what it is answered. */
const BODIES: readonly (readonly [what: string, body: string, status: number, code: string])[] = [
  ["arrays 65,000 deep, left open", "[".repeat(65_000), 400, "invalid_json"],
  ["arrays 32,000 deep", "[".repeat(arrays) + "]".repeat(arrays), 400, "invalid_lead"],
  [
    "objects 10,000 deep",
    `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
    400,
    "invalid_lead",
  ],
  [
    "a member 10,000 deep",
    `{"email":"a@example.com","company":${"[".repeat(10_000)}${"]".repeat(10_000)},"locale":"en"}`,
    400,
    "invalid_lead",
  ],
  ["6,000 members", `{${members}}`, 400, "invalid_lead"],
  ["one member 8,000 times", `{${'"a":1,'.repeat(8_000)}"a":1}`, 400, "invalid_lead"],
  ["__proto__ with a lead in it", `{"__proto__":${lead}}`, 400, "invalid_lead"],
  ["a lead with __proto__", lead.replace("{", '{"__proto__":{"admin":true},'), 400, "invalid_lead"],
  [
    "a lead with constructor",
    lead.replace("{", '{"constructor":{"prototype":{"admin":true}},'),
    400,
    "invalid_lead",
  ],
  [
    "a lead with toString",
    lead.replace("{", '{"toString":1,"hasOwnProperty":1,'),
    400,
    "invalid_lead",
  ],
  ["__proto__ in place of text", lead.replace('"en"', '{"__proto__":"en"}'), 400, "invalid_lead"],
  ["a number of 65,000 digits", filled("", { unit: "9" }), 400, "invalid_lead"],
  ["a number beyond all numbers", "1e999999999", 400, "invalid_lead"],
  [
    "65,000 digits in place of text",
    filled('{"email":', { unit: "9", tail: "}" }),
    400,
    "invalid_lead",
  ],
  ["65,000 blanks", filled(" ", { unit: " ", tail: lead }), 200, ""],
  [
    "an address that takes long to match",
    filled('{"email":"a@', { unit: "a-", tail: '","company":"","locale":"en"}' }),
    400,
    "invalid_lead",
  ],
  [
    "an address of 254 that nearly matches",
    JSON.stringify({ ...LEAD, email: `a@${"a.".repeat(125)}-` }),
    400,
    "invalid_lead",
  ],
  [
    "a text of 65,000 escapes",
    filled('{"message":"', { unit: "\\u0000", tail: '"}' }),
    400,
    "invalid_lead",
  ],
  [
    "a company of 30,000 marks on one letter",
    JSON.stringify({ ...LEAD, company: `a${"\u0301".repeat(30_000)}` }),
    400,
    "invalid_lead",
  ],
  [
    "a message of nothing but line ends",
    JSON.stringify({ ...LEAD, message: "\u2028\n".repeat(1_000) }),
    200,
    "",
  ],
  [
    "NUL in every text",
    JSON.stringify({ ...LEAD, company: "\0".repeat(120), message: "\0" }),
    200,
    "",
  ],
  [
    "half surrogates",
    `{"email":"a@example.com","locale":"en","company":"\\ud800\\ud800\\udc00\\udc00"}`,
    200,
    "",
  ],
];

/** A hundred times what the costliest takes here, and nothing that anybody would notice. */
const LONGEST_MS = 2_000;

Deno.test("bodies made to be costly or to reach the prototype are answered like any other, at once", () =>
  withRunningService(async ({ port }) => {
    const client = await RawClient.connect(port);
    for (const [what, body, status, code] of BODIES) {
      const began = performance.now();
      const answer = await client.ask(leadRequest(body, anyAddress()));
      ok(performance.now() - began < LONGEST_MS, `${what} took its time`);
      equal(answer.status, status, `${what}: ${answer.body}`);
      if (code !== "") match(answer.body, new RegExp(`"code":"${code}"`), what);
      ok(answer.body.length < 4_000, `${what}: an answer of ${answer.body.length} characters`);
      equal(/admin|k5999|prototype/.test(answer.body), false, `${what} comes back`);
    }
    const { status, body } = await client.ask(leadRequest(lead, anyAddress()));
    deepEqual([status, body], [200, '{"ok":true,"delivered":false}']);
    client.close();
  }, ENV));

const FORM_BODIES: readonly (readonly [what: string, body: string, status: number])[] = [
  ["30,000 fields", filled("", { unit: "a&" }), 400],
  ["one field 8,000 times", filled("", { unit: "email=a&" }), 400],
  ["__proto__ as a field", "__proto__=x&email=a%40example.com&company=x", 400],
  ["constructor as a field", "constructor=x&email=a%40example.com&company=x", 400],
  ["60,000 signs that have to be escaped", filled("message=", { unit: '"<' }), 400],
  ["percent signs that encode nothing", filled("message=", { unit: "%zz%" }), 400],
];

Deno.test("forms made to be costly or to reach the prototype come back as forms, at once and as text", () =>
  withRunningService(async ({ port }) => {
    const client = await RawClient.connect(port);
    for (const [what, body, status] of FORM_BODIES) {
      const began = performance.now();
      const answer = await client.ask(
        `POST /contact HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${anyAddress()}\r\n` +
          `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n` +
          body,
      );
      ok(performance.now() - began < LONGEST_MS, `${what} took its time`);
      equal(answer.status, status, what);
      match(answer.body, /<form [^>]*action="\/contact"/, what);
      equal(answer.body.includes('"<"<'), false, what);
    }
    client.close();
  }, ENV));

/** A host that is not ours, wherever a request may name one. */
const CLAIMS = [
  "Host: evil.example",
  "Host: x\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: gopher",
  "Host: x\r\nForwarded: host=evil.example;proto=gopher",
  "Host: x\r\nX-Original-URL: /evil.example\r\nX-Rewrite-URL: /evil.example",
  "Host: x\r\nOrigin: https://evil.example\r\nReferer: https://evil.example/",
  "Host: x\r\nX-HTTP-Method-Override: DELETE\r\nX-Forwarded-Prefix: /evil.example",
];

const PATHS = ["/", "/docs.md", "/docs/", "/no-such", "/llms.txt", "/sitemap.xml", "/openapi.json"];
const API_PATHS = ["/api/site", "/api/health", "/api/no-such"];

Deno.test("no answer repeats a host, an origin or a path that the request claims", () =>
  withRunningService(async ({ port }) => {
    for (const path of [...PATHS, ...API_PATHS]) {
      const plain = await RawClient.connect(port);
      const { status } = await plain.ask(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      plain.close();
      for (const claim of CLAIMS) {
        const client = await RawClient.connect(port);
        const answer = await client.ask(`GET ${path} HTTP/1.1\r\n${claim}\r\n\r\n`);
        client.close();
        equal(answer.status, status, `${path} with ${claim}`);
        equal(/evil\.example|gopher/.test(answer.head + answer.body), false, `${path}, ${claim}`);
      }
    }
  }, ENV));

/** Line ends as a URL may hold them, where a page, a redirect or nothing stands. */
const HEADER_PATHS = [
  "/?x=%0d%0aSet-Cookie:%20zz81=1",
  "/docs/%0d%0aSet-Cookie:%20zz81=1",
  "/docs%0d%0aSet-Cookie:%20zz81=1/",
  "/%0d%0azz81:%201/",
  "/assets/%0d%0azz81:%201",
  "/api/%0d%0azz81:%201",
];

Deno.test("no header repeats a query, a path or a field of the request", () =>
  withRunningService(async ({ port }) => {
    const client = await RawClient.connect(port);
    const fields = "If-None-Match: zz81\r\nAccept: zz81/zz81\r\nOrigin: zz81\r\nCookie: zz81=1";
    for (const path of HEADER_PATHS) {
      const { head } = await client.ask(`GET ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\n\r\n`);
      match(head, /^HTTP\/1\.1 [234]/);
      equal(head.includes("zz81"), false, head);
    }
    client.close();
  }, ENV));
