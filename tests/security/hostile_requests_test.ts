/**
 * @module Hostile requests to the real service: costly bodies, prototype pollution, forged hosts, header
 * injection. Malformed HTTP is in `contract/cases/raw.yaml`.
 */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import { leadRequest, type RawAnswer, RawClient } from "../support/raw_client.ts";
import { withRunningService } from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";

/** Sends a request on a connection of its own. */
type Ask = (text: string) => Promise<RawAnswer>;

let clients = 0;

/** A new address for each request, below every limit. */
function anyAddress(): string {
  return `10.9.0.${clients++}`;
}

const KIB_64 = 64 * 1024;
const lead = JSON.stringify(LEAD);

/** A text of at most 64 KiB. */
function filled(head: string, { unit, tail = "" }: { unit: string; tail?: string }): string {
  return head + unit.repeat(Math.floor((KIB_64 - head.length - tail.length) / unit.length)) + tail;
}

function leadWith(members: Record<string, unknown>): string {
  return JSON.stringify({ ...LEAD, ...members });
}

const members = Array.from({ length: 6_000 }, (_, n) => `"k${n}":1`).join(",");
const arrays = (KIB_64 - 2) / 2;
const FORM_TYPE = "x-www-form-urlencoded";
const TAKEN = '{"ok":true,"delivered":false}';

/** A body and what its answer contains, by default `invalid_lead`. */
const BODIES: readonly (readonly [what: string, body: string, answer?: string])[] = [
  ["arrays 65,000 deep, left open", "[".repeat(65_000), "invalid_json"],
  ["arrays 32,000 deep", "[".repeat(arrays) + "]".repeat(arrays)],
  ["a member 10,000 deep", lead.replace('"en"', "[".repeat(10_000) + "]".repeat(10_000))],
  ["6,000 members", `{${members}}`],
  ["a lead with __proto__", lead.replace("{", '{"__proto__":{"admin":true},')],
  ["a number of 65,000 digits", filled("", { unit: "9" })],
  [
    "an address that takes long to match",
    filled('{"email":"a@', { unit: "a-", tail: '","company":"","locale":"en"}' }),
  ],
  ["an address of 254 that nearly matches", leadWith({ email: `a@${"a.".repeat(125)}-` })],
  ["a text of 65,000 escapes", filled('{"message":"', { unit: "\\u0000", tail: '"}' })],
  ["30,000 marks on one letter", leadWith({ company: `a${"\u0301".repeat(30_000)}` })],
  ["NUL in every text", leadWith({ company: "\0".repeat(120), message: "\0" }), TAKEN],
  ["half surrogates", lead.replace(LEAD.company, "\\ud800\\ud800\\udc00\\udc00"), TAKEN],
];

/** A hundred times what the costliest body takes. */
const LONGEST_MS = 2_000;

const FORM_BODIES: readonly (readonly [what: string, body: string])[] = [
  ["30,000 fields", filled("", { unit: "a&" })],
  ["__proto__ as a field", "__proto__=x&constructor=x&email=a%40example.com&company=x"],
  ["60,000 characters to escape", filled("message=", { unit: '"<' })],
  ["invalid percent-encoding", filled("message=", { unit: "%zz%" })],
];

async function sendBodies(ask: Ask): Promise<void> {
  const forms = FORM_BODIES.map((form) => [...form, 'action="/contact"'] as const);
  for (const [what, body, expected = "invalid_lead"] of [...BODIES, ...forms]) {
    const isForm = expected.startsWith("action=");
    const request = leadRequest(body, anyAddress());
    const began = performance.now();
    const answer = await ask(
      isForm ? request.replace("api/lead", "contact").replace("json", FORM_TYPE) : request,
    );
    ok(performance.now() - began < LONGEST_MS, `${what} took too long`);
    equal(answer.status, expected === TAKEN ? 200 : 400, `${what}: ${answer.body}`);
    ok(answer.body.includes(expected), `${what}: ${answer.body}`);
    ok(isForm || answer.body.length < 4_000, `${what}: ${answer.body.length} characters`);
    equal(/admin|k5999|prototype|"<"</.test(answer.body), false, `${what} is repeated`);
  }
}

/** Forged hosts, in every field that may name one. */
const CLAIMS = [
  "Host: evil.example",
  "Host: x\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: gopher",
  "Host: x\r\nForwarded: host=evil.example;proto=gopher",
  "Host: x\r\nOrigin: https://evil.example\r\nReferer: https://evil.example/",
  "Host: x\r\nX-HTTP-Method-Override: DELETE\r\nX-Forwarded-Prefix: /evil.example",
];

const PATHS = ["/", "/docs.md", "/docs/", "/no-such", "/llms.txt", "/sitemap.xml", "/api/no-such"];

async function claimHosts(ask: Ask): Promise<void> {
  for (const path of PATHS) {
    const { status } = await ask(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    for (const claim of CLAIMS) {
      const answer = await ask(`GET ${path} HTTP/1.1\r\n${claim}\r\n\r\n`);
      equal(answer.status, status, `${path} with ${claim}`);
      equal(/evil\.example|gopher/.test(answer.head + answer.body), false, `${path}, ${claim}`);
    }
  }
}

/** Line breaks in paths of pages, redirects and nothing. */
const HEADER_PATHS = [
  "/?x=%0d%0aSet-Cookie:%20zz81=1",
  "/docs/%0d%0aSet-Cookie:%20zz81=1",
  "/docs%0d%0aSet-Cookie:%20zz81=1/",
  "/%0d%0azz81:%201/",
  "/assets/%0d%0azz81:%201",
  "/api/%0d%0azz81:%201",
];

async function injectHeaders(ask: Ask): Promise<void> {
  const fields = "If-None-Match: zz81\r\nAccept: zz81/zz81\r\nOrigin: zz81\r\nCookie: zz81=1";
  for (const path of HEADER_PATHS) {
    const { head } = await ask(`GET ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\n\r\n`);
    match(head, /^HTTP\/1\.1 [234]/);
    equal(head.includes("zz81"), false, head);
  }
}

Deno.test("hostile requests", (t) =>
  withRunningService(async ({ port }) => {
    async function ask(text: string): Promise<RawAnswer> {
      const client = await RawClient.connect(port);
      return await client.ask(text).finally(() => client.close());
    }
    await t.step(
      "costly and polluting bodies are answered at once, forms shown again, escaped",
      () => sendBodies(ask),
    );
    await t.step("no answer repeats a forged host or origin", () => claimHosts(ask));
    await t.step("no header repeats a query, path or field", () => injectHeaders(ask));
  }, { TRUSTED_PROXY_HOPS: "1" }));
