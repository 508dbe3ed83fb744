/**
 * @module Every documented example of the API, provoked, but `body_too_slow`, which takes ten seconds. The
 * answers to a plain GET and to another method follow from the document; the others have a row.
 */

import { ok, partialDeepStrictEqual as includes, strictEqual as equal } from "node:assert/strict";
import { parseConfig } from "../../config/config.ts";
import { TEST_LEADS } from "../../schemas/lead.ts";
import { openApiDocument } from "../../schemas/openapi.ts";
import { brokenKv } from "../support/kv_with.ts";
import { startReceiver } from "../support/receiver.ts";
import {
  LEAD,
  SITE_URL,
  startApp,
  type TestApp,
  type TestAppOptions,
} from "../support/test_app.ts";

/** Headers of the message, not of the operation. */
const NOT_DOCUMENTED = ["content-type", "content-length", "vary"];

/** Headers whose value depends on the request, the moment or the settings. */
const VARYING = ["etag", "x-request-id", "retry-after", "ratelimit", "ratelimit-policy"];

/** Sent with every request; no header of an answer and no log line may contain it. */
const MARKER = "zzmarkerzz";
const MARKED = {
  "authorization": `Bearer ${MARKER}`,
  "origin": `https://${MARKER}.example`,
  "x-request-id": MARKER,
};

const FRESH = { "cache-control": "no-store" };
const CACHED = { "cache-control": "public, max-age=300" };
const EXPOSED = "Lead-Test, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";
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
  readonly gives?: Readonly<Record<string, string | null>>;
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
  { answer: "createLead 200 stored", ask: post(VALID), gives: { ...LIMITS, "lead-test": null } },
  {
    answer: "createLead 200 stored",
    ask: post(JSON.stringify(TEST_LEADS.minimal)),
    gives: { ...LIMITS, "lead-test": "?1" },
  },
  {
    answer: "createLead 200 delivered",
    ask: post(VALID),
    gives: LIMITS,
    options: { env: { LEAD_WEBHOOK_SECRET: `whsec_${btoa("a first secret, 27 bytes ok")}` } },
  },
  { answer: "createLead 400 invalid_json", ask: post(`{"${MARKER}`), gives: UNTOUCHED },
  { answer: "createLead 400 unsupported_media_type", ask: post("{}", { "content-type": "x/y" }) },
  { answer: "createLead 400 body_too_large", ask: post(VALID.padEnd(64 * 1024 + 1)) },
  {
    answer: "createLead 400 invalid_lead",
    ask: post(JSON.stringify({ ...LEAD, email: "ada", locale: "fr", message: MARKER })),
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

type Examples = Record<string, { readonly value: unknown }>;

interface Header {
  readonly example?: unknown;
  readonly examples?: Examples;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, {
    readonly headers: Record<string, { readonly $ref: string }>;
    readonly content: Record<string, { readonly examples: Examples }>;
  }>;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly headers: Record<string, Header> };
}

const { paths, components } = openApiDocument(parseConfig({ SITE_URL })) as unknown as Document;

const OPERATIONS = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => {
    const answers = Object.entries(operation.responses).flatMap(([status, { content }]) =>
      Object.keys(Object.values(content)[0]!.examples)
        .map((name) => `${operation.operationId} ${status} ${name}`)
    );
    return { ...operation, path, method, methods: Object.keys(item), answers };
  })
);

/** The answers that follow from the document. */
const DERIVED: readonly Row[] = OPERATIONS.flatMap(
  ({ operationId, responses, path, method, methods, answers }) => {
    const success = answers.filter((answer) => answer.startsWith(`${operationId} 200 `));
    const rows: Row[] = [];
    if (method === "get" && success.length === 1) {
      const gives = "ETag" in responses["200"]!.headers ? CACHED : FRESH;
      rows.push({ answer: success[0]!, ask: use("GET", path), gives });
    }
    if ("405" in responses) {
      const other = ["GET", "DELETE"].find((one) => !methods.includes(one.toLowerCase()))!;
      const allow = methods.map((one) => one === "get" ? "GET, HEAD" : one.toUpperCase());
      rows.push({
        answer: `${operationId} 405 method_not_allowed`,
        ask: use(other, path),
        gives: { ...FRESH, allow: [...allow, "OPTIONS"].join(", ") },
      });
    }
    return rows;
  },
);

const ALL = [...DERIVED, ...ROWS];

Deno.test("every documented answer and error code is provoked", () => {
  const documented = new Set(OPERATIONS.flatMap(({ answers }) => answers));
  const provoked = new Set([...ALL.map(({ answer }) => answer), "createLead 400 body_too_slow"]);
  const problems = [
    ...documented.difference(provoked).values().map((one) => `add a row for ${one} to ROWS`),
    ...provoked.difference(documented).values().map((one) =>
      `schemas/operations/ has no ${one}: add it there, or remove the row`
    ),
  ];
  ok(problems.length === 0, `tests/routes/documented_answers_test.ts:\n${problems.join("\n")}`);
});

/** Whether a body is the documented example, or contains it. */
function assertExample(text: string, { name, value }: { name: string; value: unknown }): void {
  if (name !== "abridged") return equal(text, JSON.stringify(value));
  if (typeof value === "string") ok(text.startsWith(value), text.slice(0, 200));
  else includes(JSON.parse(text), value);
}

for (const { answer, ask, gives = {}, options } of ALL) {
  Deno.test(`${answer} is as documented ${JSON.stringify(gives)}`, async () => {
    await using receiver = startReceiver();
    const LEAD_TARGETS = answer.endsWith("delivered") ? receiver.url : "";
    await using app = await startApp({ ...options, env: { ...options?.env, LEAD_TARGETS } });
    const [id, status = "", name = ""] = answer.split(" ");
    const operation = OPERATIONS.find(({ operationId }) => operationId === id)!;
    const { headers, content } = operation.responses[status]!;
    const response = await ask(app);
    equal(response.status, Number(status));
    const [[type, { examples }]] = Object.entries(content) as [[string, typeof content[string]]];
    equal(response.headers.get("content-type"), type);
    if (!response.ok) equal(response.headers.get("cache-control"), "no-store");
    assertExample(await response.text(), { name, value: examples[name]!.value });
    for (const [name, value] of Object.entries(gives)) equal(response.headers.get(name), value);
    for (const [name, value] of response.headers) {
      if (NOT_DOCUMENTED.includes(name)) continue;
      const documented = Object.keys(headers).find((one) => one.toLowerCase() === name);
      ok(documented !== undefined, `${name} is sent, but not documented`);
      const { example, examples = {} } = components.headers[documented]!;
      const values = [example, ...Object.values(examples).map(({ value }) => value)];
      ok(VARYING.includes(name) || values.includes(value), `${name}: ${value} is no example`);
    }
    const output = JSON.stringify([...response.headers, app.lines]).toLowerCase();
    ok(!output.includes(MARKER), "the request is repeated");
  });
}
