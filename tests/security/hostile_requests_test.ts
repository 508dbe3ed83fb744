/** @module Costly bodies, forged hosts. `contract/service/raw.yaml` has malformed HTTP. */

import { ok, strictEqual as equal } from "node:assert/strict";
import { leadRequest, type RawAnswer, RawClient } from "../support/raw_client.ts";
import { withRunningService } from "../support/service.ts";

type Ask = (text: string) => Promise<RawAnswer>;

let clients = 0;

function anyAddress(): string {
  return `10.9.0.${clients++}`;
}

const KIB_64 = 64 * 1024;

function filled(head: string, { unit, tail = "" }: { unit: string; tail?: string }): string {
  return head + unit.repeat(Math.floor((KIB_64 - head.length - tail.length) / unit.length)) + tail;
}

const members = Array.from({ length: 6_000 }, (_, n) => `"k${n}":1`).join(",");

/** Invalid leads. Nested ones, and `__proto__`, are in the contract's cases. */
const BODIES: readonly (readonly [what: string, body: string])[] = [
  ["6,000 members", `{${members}}`],
  [
    "an address that takes long to match",
    filled('{"email":"a@', { unit: "a-", tail: '","company":"","locale":"en"}' }),
  ],
  ["a text of 65,000 escapes", filled('{"message":"', { unit: "\\u0000", tail: '"}' })],
];

/** A hundred times what the costliest body takes. */
const LONGEST_MS = 2_000;

/** Forms are in `tests/routes/http/`. */
async function sendBodies(ask: Ask): Promise<void> {
  for (const [what, body] of BODIES) {
    const began = performance.now();
    const answer = await ask(leadRequest(body, anyAddress()));
    ok(performance.now() - began < LONGEST_MS, `${what} took too long`);
    equal(answer.status, 400, `${what}: ${answer.body}`);
    ok(answer.body.includes("invalid_lead"), `${what}: ${answer.body}`);
    ok(answer.body.length < 4_000, `${what}: ${answer.body.length} characters`);
    equal(answer.body.includes("k5999"), false, `${what} is repeated`);
  }
}

const FIELDS = [
  "Host: zz81.example",
  "Host: x\r\nX-Forwarded-Host: zz81.example\r\nX-Forwarded-Proto: zz81",
  "Host: x\r\nForwarded: host=zz81.example;proto=zz81\r\nX-Forwarded-Prefix: /zz81",
  "Host: x\r\nX-HTTP-Method-Override: DELETE\r\nCookie: zz81=1\r\nIf-None-Match: zz81",
  "Host: x\r\nOrigin: https://zz81.example\r\nReferer: https://zz81.example/",
];

/** Pages, documents and redirects; then line breaks in paths. */
const PATHS = [
  ...["/", "/docs.md", "/docs/", "/no-such", "/llms.txt", "/sitemap.xml", "/api/no-such"],
  ...["/?x=%0d%0azz81:1", "/docs/%0d%0azz81:1", "/docs%0d%0azz81:1/", "/%0d%0azz81:1/"],
  ...["/assets/%0d%0azz81:1", "/api/%0d%0azz81:1"],
];

async function forge(ask: Ask): Promise<void> {
  for (const path of PATHS) {
    const { status } = await ask(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    for (const fields of FIELDS) {
      const answer = await ask(`GET ${path} HTTP/1.1\r\n${fields}\r\n\r\n`);
      equal(answer.status, status, `${path} with ${fields}`);
      const text = path.includes("zz81") ? answer.head : answer.head + answer.body;
      equal(text.includes("zz81"), false, `${path} with ${fields}`);
    }
  }
}

Deno.test("hostile requests", (t) =>
  withRunningService(async ({ port }) => {
    async function ask(text: string): Promise<RawAnswer> {
      const client = await RawClient.connect(port);
      return await client.ask(text).finally(() => client.close());
    }
    await t.step(
      "costly bodies are answered at once",
      () => sendBodies(ask),
    );
    await t.step("no answer repeats a forged host or a field, no header a path", () => forge(ask));
  }, { TRUSTED_PROXY_HOPS: "1" }));
