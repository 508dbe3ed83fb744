/**
 * @module The examples of errors in the OpenAPI document are what the service answers, byte by byte.
 * That of `body_too_slow`, which takes ten seconds, is compared in `tests/process/raw_http_test.ts`.
 */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { LEAD, type TestApp, type TestAppOptions, withApp } from "../support/test_app.ts";

function post(
  { request }: TestApp,
  { body = JSON.stringify(LEAD), headers = {} }: {
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Response> {
  return request("/api/lead", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
}

const fail = (): never => {
  throw new Error("KV is down");
};

/** What makes the service answer a code, and what the app needs for that. */
const CAUSES: Readonly<
  Record<string, readonly [ask: (app: TestApp) => Promise<Response>, options?: TestAppOptions]>
> = {
  bad_host: [(app) => post(app, { headers: { host: "x/y" } })],
  invalid_json: [(app) => post(app, { body: "{" })],
  unsupported_media_type: [(app) => post(app, { headers: { "content-type": "text/plain" } })],
  body_too_large: [(app) => post(app, { body: " ".repeat(64 * 1024 + 1) })],
  invalid_lead: [
    (app) => post(app, { body: JSON.stringify({ ...LEAD, email: "ada", locale: "fr" }) }),
  ],
  method_not_allowed: [({ request }) => request("/api/lead", { method: "PUT" })],
  rate_limited: [async (app) => {
    await (await post(app)).body?.cancel();
    return await post(app);
  }, { env: { LEAD_RATE_LIMIT: "1/1m" } }],
  lead_not_stored: [post, {
    wrapKv: () => ({ get: fail, getMany: fail, list: fail, atomic: fail }),
  }],
};

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Responses }>>>>;
}

type Responses = Readonly<Record<string, { content: Readonly<Record<string, Media>> }>>;

interface Media {
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** Every example of an error: its status, its code, its text. */
async function examplesOf({ request }: TestApp): Promise<[string, string, string][]> {
  const { paths }: Document = await (await request("/openapi.json")).json();
  return Object.values(paths).flatMap((item) => Object.values(item)).flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      Object.entries(content["application/json"]?.examples ?? {})
        .map(([code, { value }]) =>
          [status, code, JSON.stringify(value)] as [string, string, string]
        )
    )
  );
}

Deno.test("the document has an example of every error that is compared, and of no other", () =>
  withApp(async (app) => {
    const codes = new Set((await examplesOf(app)).map(([, code]) => code));
    deepEqual([...codes].sort(), [...Object.keys(CAUSES), "body_too_slow"].sort());
  }));

for (const [code, [ask, options]] of Object.entries(CAUSES)) {
  Deno.test(`the example of ${code} is what the service answers`, () =>
    withApp(async (app) => {
      const examples = (await examplesOf(app)).filter(([, name]) => name === code);
      const response = await ask(app);
      const text = await response.text();
      for (const [status, , example] of examples) {
        equal(String(response.status), status);
        equal(text, example);
      }
    }, options));
}
