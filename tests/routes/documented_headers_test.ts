/**
 * @module The response headers that are documented against those that are sent, in both directions,
 * for every response in the document.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { brokenKv } from "../support/broken_kv.ts";
import { LEAD, type TestApp, type TestAppOptions, withApp } from "../support/test_app.ts";

/** What belongs to the message or the connection, not to the operation. */
const NOT_DOCUMENTED = new Set([
  ...["content-type", "content-length", "date", "vary", "transfer-encoding", "connection"],
]);

interface HeaderObject {
  readonly required: boolean;
  readonly schema: { readonly type?: string };
}

interface Description {
  readonly paths: Record<
    string,
    Record<string, {
      readonly operationId: string;
      readonly responses: Record<string, { readonly headers: Record<string, { $ref: string }> }>;
    }>
  >;
  readonly components: { readonly headers: Record<string, HeaderObject> };
}

/** One way to get one documented response. */
interface Case {
  readonly response: string;
  readonly what?: string;
  readonly send: (app: TestApp) => Promise<Response>;
  readonly options?: TestAppOptions;
}

function get(path: string) {
  return ({ request }: TestApp) => request(path);
}

function use(method: string, path: string) {
  return ({ request }: TestApp) => request(path, { method });
}

function post(body: string, type = "application/json") {
  const init = { method: "POST", headers: { "content-type": type }, body };
  return ({ request }: TestApp) => request("/api/lead", init);
}

async function twice(app: TestApp): Promise<Response> {
  await (await app.postLead(LEAD)).body?.cancel();
  return await app.postLead({ ...LEAD, company: "Another" });
}

const lead = ({ postLead }: TestApp) => postLead(LEAD);

const CASES: readonly Case[] = [
  { response: "getHealth 200", send: get("/api/health") },
  { response: "getHealth 405", send: use("POST", "/api/health") },
  { response: "getSiteIndex 200", send: get("/api/site") },
  { response: "getSiteIndex 405", send: use("DELETE", "/api/site") },
  { response: "createLead 200", send: lead },
  { response: "createLead 400", what: "invalid_json", send: post("{") },
  { response: "createLead 400", what: "unsupported_media_type", send: post("{}", "text/plain") },
  { response: "createLead 400", what: "body_too_large", send: post(" ".repeat(65_537)) },
  { response: "createLead 400", what: "invalid_lead", send: post("{}") },
  { response: "createLead 405", send: get("/api/lead") },
  {
    response: "createLead 429",
    what: "out of leads",
    send: twice,
    options: { env: { LEAD_RATE_LIMIT: "1/1m" } },
  },
  {
    response: "createLead 429",
    what: "out of attempts",
    send: twice,
    options: { env: { LEAD_ATTEMPT_LIMIT: "1/1m" } },
  },
  { response: "createLead 502", send: lead, options: { wrapKv: brokenKv } },
  { response: "getOpenApiJson 200", send: get("/openapi.json") },
  { response: "getOpenApiYaml 200", send: get("/api/openapi.yaml") },
];

/** The header objects of every response, by operation and status, names in lower case. */
async function documented({ request }: TestApp): Promise<Map<string, Map<string, HeaderObject>>> {
  const document: Description = await (await request("/openapi.json")).json();
  const found = new Map<string, Map<string, HeaderObject>>();
  for (const operations of Object.values(document.paths)) {
    for (const { operationId, responses } of Object.values(operations)) {
      for (const [status, { headers }] of Object.entries(responses)) {
        const objects = Object.entries(headers).map(([name, { $ref }]) => {
          const object = document.components.headers[$ref.split("/").at(-1) ?? ""];
          ok(object, $ref);
          return [name.toLowerCase(), object] as const;
        });
        found.set(`${operationId} ${status}`, new Map(objects));
      }
    }
  }
  return found;
}

const ajv = new Ajv2020();

/** A field value as the schema's type wants it (OpenAPI 3.1, style `simple`). */
function satisfies(value: string, { schema }: HeaderObject): boolean {
  return ajv.validate(schema, schema.type === "integer" ? Number(value) : value);
}

Deno.test("every documented response is provoked below", () =>
  withApp(async (app) => {
    const provoked = new Set(CASES.map(({ response }) => response));
    deepEqual([...(await documented(app)).keys()].sort(), [...provoked].sort());
  }));

/** With https and without: Strict-Transport-Security comes with the first only. */
for (const site of ["https://www.example.com", "http://localhost:8000"]) {
  for (const { response: name, what, send, options } of CASES) {
    const title = what === undefined ? name : `${name} (${what})`;
    Deno.test(`${title} on ${site} sends what is documented, and documents what is sent`, () =>
      withApp(async (app) => {
        const headers = (await documented(app)).get(name);
        ok(headers);
        const response = await send(app);
        equal(response.status, Number(name.split(" ")[1]));
        await response.body?.cancel();

        const sent = [...response.headers.keys()].filter((field) => !NOT_DOCUMENTED.has(field));
        deepEqual(sent.filter((field) => !headers.has(field)), [], "sent, but not documented");
        for (const [field, object] of headers) {
          const value = response.headers.get(field);
          if (value !== null) ok(satisfies(value, object), `${field}: ${value}`);
          else ok(!object.required, `${field} is required, but not sent`);
        }
      }, { ...options, env: { ...options?.env, SITE_URL: site } }));
  }
}
