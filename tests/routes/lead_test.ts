/**
 * @module The contract of POST /api/lead as its callers see it (specification §4 createLead, §5, §8).
 * Its errors are in `api_error_test.ts`, what a LeadRequest is in `tests/schemas/lead_test.ts`.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import type { LeadRecord } from "../../leads/lead.ts";
import { ApiError } from "../../schemas/api_error.ts";
import { LeadResponse } from "../../schemas/lead.ts";
import { mustBe } from "../support/must_be.ts";
import { withReceiver } from "../support/receiver.ts";
import { LEAD, type TestApp, withApp } from "../support/test_app.ts";

const JSON_HEADERS = { "content-type": "application/json" };
const KIB_64 = 64 * 1024;

/** The body of a 200; fails on any other answer. */
async function accepted(response: Response): Promise<LeadResponse> {
  equal(response.status, 200);
  equal(response.headers.get("content-type"), "application/json");
  return mustBe(LeadResponse, await response.json());
}

/** The code of an error with that status. */
async function refused(response: Response, status: number): Promise<string> {
  equal(response.status, status);
  equal(response.headers.get("content-type"), "application/json");
  return mustBe(ApiError, await response.json()).error.code;
}

/** All leads that are held, by arrival. */
async function held({ kv, store }: TestApp): Promise<(LeadRecord | null)[]> {
  const entries = await Array.fromAsync(kv.list({ prefix: keys.leads() }));
  return await Promise.all(entries.map(({ key }) => store.get(String(key.at(-1)))));
}

Deno.test("a valid lead is 200 with ok and delivered, and nothing else", () =>
  withApp(async (app) => {
    const response = await app.postLead(LEAD);
    equal(response.status, 200);
    equal(response.headers.get("content-type"), "application/json");
    equal(response.headers.get("cache-control"), "no-store");
    equal(response.headers.get("x-content-type-options"), "nosniff");
    equal(response.headers.get("access-control-allow-origin"), "*");
    equal(
      response.headers.get("access-control-expose-headers"),
      "RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
    );
    equal(response.headers.get("set-cookie"), null);
    equal(response.headers.get("retry-after"), null);
    deepEqual(await response.json(), { ok: true, delivered: false });
  }));

Deno.test("a 200 means that the lead is held, with all that was sent but the honeypot", () =>
  withApp(async (app) => {
    const lead = { ...LEAD, message: "Zwei\nZeilen: „Grüße“ 🌍", plan: "hosted", website: "" };
    await accepted(await app.postLead(lead));
    const [record, ...others] = await held(app);
    equal(others.length, 0);
    const { website: _, ...kept } = lead;
    deepEqual(record?.lead, kept);
  }));

Deno.test("delivered is true where the target has acknowledged the lead", () =>
  withReceiver(({ url, received }) =>
    withApp(async ({ postLead }) => {
      deepEqual(await accepted(await postLead(LEAD)), { ok: true, delivered: true });
      equal(received.length, 1);
    }, { env: { LEAD_TARGETS: url } })
  ));

Deno.test("delivered is false where the target fails: the lead is taken all the same", () =>
  withReceiver(({ url }) =>
    withApp(async (app) => {
      deepEqual(await accepted(await app.postLead(LEAD)), { ok: true, delivered: false });
      equal((await held(app)).length, 1);
    }, { env: { LEAD_TARGETS: url } }), () => new Response(null, { status: 503 })));

Deno.test("the same lead again is the same lead: same answer, held once", () =>
  withApp(async (app) => {
    const first = await accepted(await app.postLead(LEAD));
    deepEqual(await accepted(await app.postLead({ ...LEAD, website: "" })), first);
    equal((await held(app)).length, 1);
  }));

Deno.test("another lead of the same address is another lead", () =>
  withApp(async (app) => {
    await accepted(await app.postLead(LEAD));
    await accepted(await app.postLead({ ...LEAD, message: "One thing more" }));
    equal((await held(app)).length, 2);
  }));

for (const email of ["test@example.invalid", "test@EXAMPLE.Invalid", "test@invalid"]) {
  Deno.test(`a test lead from ${email} is taken, but neither held nor delivered`, () =>
    withReceiver(({ url, received }) =>
      withApp(async (app) => {
        const response = await app.postLead({ ...LEAD, email });
        deepEqual(await accepted(response), { ok: true, delivered: false });
        deepEqual(await held(app), []);
        deepEqual(received, []);
      }, { env: { LEAD_TARGETS: url } })
    ));
}

Deno.test("an address that only looks like a test address is held", () =>
  withApp(async (app) => {
    await app.postLead({ ...LEAD, email: "test@notinvalid" });
    equal((await held(app)).length, 1);
  }));

/** Values of Content-Type that declare JSON. */
const JSON_TYPES = [
  "application/json",
  "APPLICATION/JSON",
  "Application/Json",
  "application/json;charset=utf-8",
  'application/json ; charset="UTF-8"',
  "application/json; charset=utf-8; v=1",
  "application/json;",
];

for (const type of JSON_TYPES) {
  Deno.test(`Content-Type ${type} is taken as JSON`, () =>
    withApp(async ({ request }) => {
      const headers = { "content-type": type };
      const body = JSON.stringify(LEAD);
      await accepted(await request("/api/lead", { method: "POST", headers, body }));
    }));
}

/** Bodies of exactly 64 KiB, and how they are sent. */
const LARGEST: readonly (readonly [string, () => BodyInit, Record<string, string>])[] = [
  ["whole", () => padded(KIB_64), {}],
  ["announced", () => padded(KIB_64), { "content-length": `${KIB_64}` }],
  ["in chunks", () => new Blob([padded(KIB_64)]).stream(), {}],
];

function padded(length: number): string {
  return JSON.stringify(LEAD).padEnd(length, " ");
}

for (const [how, body, announced] of LARGEST) {
  Deno.test(`a body of exactly 64 KiB, sent ${how}, is read`, () =>
    withApp(async ({ request }) => {
      const headers = { ...JSON_HEADERS, ...announced };
      await accepted(await request("/api/lead", { method: "POST", headers, body: body() }));
    }));
}

/** What a request may carry without changing the answer. */
const IGNORED: readonly (readonly [string, string, Record<string, string>])[] = [
  ["a bearer token", "/api/lead", { authorization: "Bearer made-up" }],
  ["basic credentials", "/api/lead", { authorization: "Basic bWFkZTp1cA==" }],
  ["cookies", "/api/lead", { cookie: "session=made-up" }],
  ["a query", "/api/lead?plan=gold&website=x", {}],
  ["an Accept header for HTML", "/api/lead", { accept: "text/html" }],
  ["an origin", "/api/lead", { origin: "https://elsewhere.example" }],
  ["a method override", "/api/lead", { "x-http-method-override": "DELETE" }],
  ["a condition", "/api/lead", { "if-none-match": "*" }],
];

for (const [what, path, headers] of IGNORED) {
  Deno.test(`${what} changes nothing`, () =>
    withApp(async ({ request }) => {
      const response = await request(path, {
        method: "POST",
        headers: { ...JSON_HEADERS, ...headers },
        body: JSON.stringify(LEAD),
      });
      deepEqual(await accepted(response), { ok: true, delivered: false });
    }));
}

/** Bodies that JSON allows and LeadRequest is content with. */
const TAKEN: readonly (readonly [string, string])[] = [
  ["white space around", `\r\n\t ${JSON.stringify(LEAD)} \n`],
  ["escapes in names", JSON.stringify(LEAD).replace('"email"', '"\\u0065mail"')],
  ["an empty company", JSON.stringify({ ...LEAD, company: "" })],
  ["an empty message", JSON.stringify({ ...LEAD, message: "" })],
  ["an empty honeypot", JSON.stringify({ ...LEAD, website: "" })],
  ["a name twice", JSON.stringify(LEAD).replace("{", '{"locale":"fr",')],
];

for (const [what, body] of TAKEN) {
  Deno.test(`a lead with ${what} is taken`, () =>
    withApp(async ({ request }) => {
      await accepted(await request("/api/lead", { method: "POST", headers: JSON_HEADERS, body }));
    }));
}

Deno.test("a filled honeypot is refused and not held", () =>
  withApp(async (app) => {
    const response = await app.postLead({ ...LEAD, website: "https://spam.example" });
    equal(await refused(response, 400), "invalid_lead");
    deepEqual(await held(app), []);
  }));

Deno.test("an invalid lead names every issue at once", () =>
  withApp(async ({ postLead }) => {
    const response = await postLead({ email: "x", company: 1, plan: "gold", more: true });
    equal(response.status, 400);
    const { error } = mustBe(ApiError, await response.json());
    const { issues } = error.details as { issues: { path: string; rule: string }[] };
    deepEqual(issues.map(({ path, rule }) => `${path} ${rule}`), [
      "/email format",
      "/company type",
      "/plan enum",
      "/locale required",
      " additionalProperties",
    ]);
  }));

Deno.test("the limit is per client: one's leads leave another's allowance alone", () =>
  withApp(async ({ postLead }) => {
    const other = { ...LEAD, company: "Other" };
    await accepted(await postLead(LEAD, "192.0.2.1"));
    equal(await refused(await postLead(other, "192.0.2.1"), 429), "rate_limited");
    await accepted(await postLead(other, "192.0.2.2"));
  }, { env: { LEAD_RATE_LIMIT: "1/1m" } }));

Deno.test("the default is 20 leads in 10 minutes: the 21st is 429", () =>
  withApp(async ({ postLead }) => {
    const send = (n: number) => postLead({ ...LEAD, company: `Company ${n}` });
    for (let n = 1; n <= 20; n++) await accepted(await send(n));
    equal(await refused(await send(21), 429), "rate_limited");
  }));

Deno.test("leads of one client at the same time do not slip past the limit", () =>
  withApp(async (app) => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => app.postLead({ ...LEAD, company: `Company ${n}` })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    deepEqual(statuses, [...Array(5).fill(200), ...Array(7).fill(429)]);
    for (const { body } of answers) await body?.cancel();
    equal((await held(app)).length, 5);
  }, { env: { LEAD_RATE_LIMIT: "5/10m" } }));

Deno.test("who is out of leads still learns what is wrong with a body", () =>
  withApp(async ({ postLead }) => {
    await accepted(await postLead(LEAD));
    equal(await refused(await postLead({}), 400), "invalid_lead");
  }, { env: { LEAD_RATE_LIMIT: "1/1m" } }));

Deno.test("clients over the attempt limit get 429 before the body is read", () =>
  withApp(async ({ postLead, request }) => {
    equal(await refused(await postLead({}), 400), "invalid_lead");
    let pulled = 0;
    const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 });
    const response = await request("/api/lead", { method: "POST", headers: JSON_HEADERS, body });
    equal(await refused(response, 429), "rate_limited");
    equal(pulled, 0);
  }, { env: { LEAD_ATTEMPT_LIMIT: "1/1m" } }));

Deno.test("no log line holds an address or what was written", () =>
  withApp(async ({ postLead, lines }) => {
    const secret = "zzWrittenzz";
    await accepted(
      await postLead({ ...LEAD, email: `${secret}@example.com`, company: secret, message: secret }),
    );
    ok(lines.length > 0);
    const logged = JSON.stringify(lines);
    for (const word of [secret, "192.0.2.1", "example.com"]) ok(!logged.includes(word), word);
  }));
