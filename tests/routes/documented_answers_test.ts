/**
 * @module Every documented answer of the API, provoked: its status, no header that is not documented, and
 * of errors the documented example, byte by byte; but `body_too_slow`, which takes ten seconds. The
 * contract's oracle checks required headers and their schemas.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { brokenKv } from "../support/kv_with.ts";
import { LEAD, startApp, type TestApp, type TestAppOptions } from "../support/test_app.ts";

/** Headers of the message, not of the operation. */
const NOT_DOCUMENTED = ["content-type", "content-length", "vary"];

/** Sent with every request; no header of an answer and no log line may contain it. */
const MARKER = "zzmarkerzz";
const MARKED = {
  "authorization": `Bearer ${MARKER}`,
  "origin": `https://${MARKER}.example`,
  "x-request-id": MARKER,
};

const FRESH = { "cache-control": "no-store" };
const CACHED = { "cache-control": "public, max-age=300" };
const EXPOSED = "RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";
const LIMITS = {
  ...FRESH,
  "access-control-expose-headers": EXPOSED,
  "ratelimit": '"lead";r=19;t=30, "attempt";r=119;t=1',
  "ratelimit-policy": '"lead";q=20;w=600, "attempt";q=120;w=60',
};

/** An invalid body does not count against the lead limit. */
const UNTOUCHED = { ...LIMITS, "ratelimit": '"lead";r=20;t=0, "attempt";r=119;t=1' };

interface Row {
  readonly answer: string;
  readonly ask: (app: TestApp) => Promise<Response>;
  readonly gives?: Readonly<Record<string, string>>;
  /** The body of a success. */
  readonly body?: unknown;
  readonly options?: TestAppOptions;
}

function use(method: string, path: string): Row["ask"] {
  const url = `${path}${path.includes("?") ? "&" : "?"}${MARKER}`;
  return ({ request }) => request(url, { method, headers: MARKED });
}

function post(body: string, headers: Readonly<Record<string, string>> = {}): Row["ask"] {
  const sent = { ...MARKED, "content-type": "application/json", ...headers };
  return ({ request }) => request("/api/lead", { method: "POST", headers: sent, body });
}

async function twice(app: TestApp): Promise<Response> {
  await (await app.postLead(LEAD)).body?.cancel();
  return await post(VALID)(app);
}

const VALID = JSON.stringify({ ...LEAD, company: MARKER });

const ROWS: readonly Row[] = [
  { answer: "getHealth 200", ask: use("GET", "/api/health"), gives: FRESH },
  { answer: "getHealth 405 method_not_allowed", ask: use("POST", "/api/health") },
  { answer: "getSiteIndex 200", ask: use("GET", "/api/site"), gives: CACHED },
  { answer: "getSiteIndex 405 method_not_allowed", ask: use("DELETE", "/api/site") },
  { answer: "getOpenApiJson 200", ask: use("GET", "/openapi.json"), gives: CACHED },
  { answer: "getOpenApiYaml 200", ask: use("GET", "/api/openapi.yaml"), gives: CACHED },
  {
    answer: "createLead 200",
    ask: post(VALID),
    gives: LIMITS,
    body: { ok: true, delivered: false },
  },
  { answer: "createLead 400 bad_host", ask: post(VALID, { host: "x/y" }) },
  { answer: "createLead 400 invalid_json", ask: post(`{"${MARKER}`), gives: UNTOUCHED },
  { answer: "createLead 400 unsupported_media_type", ask: post("{}", { "content-type": "x/y" }) },
  { answer: "createLead 400 body_too_large", ask: post(VALID.padEnd(64 * 1024 + 1)) },
  {
    answer: "createLead 400 invalid_lead",
    ask: post(JSON.stringify({ ...LEAD, email: "ada", locale: "fr", message: MARKER })),
  },
  {
    answer: "createLead 405 method_not_allowed",
    ask: use("GET", "/api/lead"),
    gives: { "allow": "POST, OPTIONS" },
  },
  {
    answer: "createLead 429 rate_limited",
    ask: twice,
    gives: { "retry-after": "60", "ratelimit": '"lead";r=0;t=60, "attempt";r=118;t=1' },
    options: { env: { LEAD_RATE_LIMIT: "1/1m" } },
  },
  {
    answer: "createLead 429 rate_limited",
    ask: twice,
    gives: { "retry-after": "60", "ratelimit": '"lead";r=19;t=30, "attempt";r=0;t=60' },
    options: { env: { LEAD_ATTEMPT_LIMIT: "1/1m" } },
  },
  {
    answer: "createLead 502 lead_not_stored",
    ask: post(VALID),
    gives: LIMITS,
    options: { wrapKv: brokenKv },
  },
];

interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, {
    readonly headers: Record<string, unknown>;
    readonly content: Record<string, { readonly examples?: Record<string, { value: unknown }> }>;
  }>;
}

async function operationsOf({ request }: TestApp): Promise<Operation[]> {
  const { paths } = await (await request("/openapi.json")).json();
  return Object.values<Record<string, Operation>>(paths).flatMap(Object.values<Operation>);
}

Deno.test("every documented answer and error code is provoked", async () => {
  await using app = await startApp();
  const answers = (await operationsOf(app)).flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const codes = Object.keys(content["application/json"]?.examples ?? { "": 0 });
      return codes.map((code) => `${operationId} ${status} ${code}`.trim());
    })
  );
  const documented = new Set(answers);
  const provoked = new Set([...ROWS.map(({ answer }) => answer), "createLead 400 body_too_slow"]);
  const faults = [
    ...documented.difference(provoked).values().map((one) => `add a row for ${one} to ROWS`),
    ...provoked.difference(documented).values().map((one) =>
      `schemas/openapi.ts has no ${one}: add it there, or remove the row`
    ),
  ];
  ok(faults.length === 0, `tests/routes/documented_answers_test.ts:\n${faults.join("\n")}`);
});

for (const { answer, ask, gives = {}, body, options } of ROWS) {
  Deno.test(`${answer} is as documented ${JSON.stringify(gives)}`, async () => {
    await using app = await startApp(options);
    const [id, status = "", code] = answer.split(" ");
    const operation = (await operationsOf(app)).find(({ operationId }) => operationId === id)!;
    const { headers, content } = operation.responses[status]!;
    const response = await ask(app);
    equal(response.status, Number(status));
    const text = await response.text();
    if (code !== undefined) {
      equal(response.headers.get("content-type"), "application/json");
      equal(response.headers.get("cache-control"), "no-store");
      const { examples } = content["application/json"]!;
      equal(text, JSON.stringify(examples![code]!.value));
    }
    if (body !== undefined) deepEqual(JSON.parse(text), body);
    for (const [name, value] of Object.entries(gives)) equal(response.headers.get(name), value);
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    const sent = [...response.headers.keys()].filter((name) => !NOT_DOCUMENTED.includes(name));
    deepEqual(sent.filter((name) => !names.includes(name)), [], "sent, but not documented");
    const output = JSON.stringify([...response.headers, app.lines]).toLowerCase();
    ok(!output.includes(MARKER), "the request is repeated");
  });
}
