/** @module The methods of a path: HEAD with GET, OPTIONS, and 405 for all that is left. */

import { strictEqual as equal } from "node:assert/strict";
import { ApiError } from "../../../schemas/api_error.ts";
import { mustBe } from "../../support/must_be.ts";
import { assertHeadOf, connectionFrom } from "../../support/send.ts";
import { appWithoutLeads } from "../../support/app_without_leads.ts";
import { SITE_URL, withApp } from "../../support/test_app.ts";

/** Each path and its Allow. */
const PATHS: readonly (readonly [string, string])[] = [
  ["/api/health", "GET, HEAD, OPTIONS"],
  ["/api/site", "GET, HEAD, OPTIONS"],
  ["/api/lead", "POST, OPTIONS"],
  ["/openapi.json", "GET, HEAD, OPTIONS"],
  ["/api/openapi.yaml", "GET, HEAD, OPTIONS"],
];

/** Methods that no path answers: standard, of extensions, in the wrong case, made up. */
const UNKNOWN_METHODS = [
  ...["PUT", "PATCH", "DELETE", "TRACE", "CONNECT"],
  ...["QUERY", "PROPFIND", "MKCOL", "LOCK", "REPORT", "PURGE", "SUBSCRIBE"],
  ...["get", "Get", "head", "post", "options", "patch"],
  ...["FOO", "G", "GETS", "X-METHOD", "constructor", "__proto__", "$", "*"],
];

const { app, request } = await appWithoutLeads();

/** Sends a method that `new Request` would refuse or rewrite, but a server lets through. */
async function send(path: string, method: string): Promise<Response> {
  const request = new Request(`${SITE_URL}${path}`);
  Object.defineProperty(request, "method", { value: method });
  return await app.fetch(request, connectionFrom());
}

for (const [path, allow] of PATHS) {
  for (const method of [...UNKNOWN_METHODS, allow.includes("GET") ? "POST" : "GET"]) {
    Deno.test(`${method} ${path} is 405 with Allow: ${allow}`, async () => {
      const response = await send(path, method);
      equal(response.status, 405);
      equal(response.headers.get("content-type"), "application/json");
      equal(response.headers.get("allow"), allow);
      const { error } = mustBe(ApiError, await response.json());
      equal(error.code, "method_not_allowed");
    });
  }

  Deno.test(`OPTIONS ${path} is 204 with Allow and the CORS preflight, and has no body`, async () => {
    const response = await request(path, {
      method: "OPTIONS",
      headers: {
        "origin": "https://elsewhere.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "content-type",
      },
    });
    equal(response.status, 204);
    equal(response.headers.get("content-type"), null);
    equal(response.headers.get("allow"), allow);
    equal(response.headers.get("access-control-allow-origin"), "*");
    equal(response.headers.get("access-control-allow-methods"), allow);
    equal(response.headers.get("access-control-allow-headers"), "content-type, authorization");
    equal(response.headers.get("access-control-max-age"), "7200");
    equal(response.headers.get("access-control-allow-credentials"), null);
    equal(response.headers.get("content-length"), null);
    equal(response.body, null);
  });

  if (!allow.includes("GET")) continue;
  Deno.test(`HEAD ${path} has the status and headers of GET, and no body`, async () => {
    const get = await request(path);
    const head = await request(path, { method: "HEAD" });
    equal(head.status, 200);
    await assertHeadOf(get, head);
  });
}

Deno.test("HEAD /api/lead is 405 with Allow, and has no body", async () => {
  const response = await request("/api/lead", { method: "HEAD" });
  equal(response.status, 405);
  equal(response.headers.get("content-type"), "application/json");
  equal(response.headers.get("allow"), "POST, OPTIONS");
  equal(await response.text(), "");
});

Deno.test("HEAD honours If-None-Match like GET", async () => {
  const etag = (await request("/openapi.json")).headers.get("etag") ?? "";
  const response = await request("/openapi.json", {
    method: "HEAD",
    headers: { "if-none-match": etag },
  });
  equal(response.status, 304);
  equal(response.headers.get("etag"), etag);
});

Deno.test("a method is refused whatever If-None-Match says", async () => {
  const headers = { "if-none-match": "*" };
  const response = await request("/openapi.json", { method: "DELETE", headers });
  equal(response.status, 405);
  await response.body?.cancel();
});

Deno.test("a refused method does not count as an attempt to send a lead", () =>
  withApp(async ({ request }) => {
    for (const [method, status] of [["PUT", 405], ["GET", 405], ["POST", 400], ["POST", 429]]) {
      const response = await request("/api/lead", { method: String(method) });
      equal(response.status, status);
      await response.body?.cancel();
    }
  }, { env: { LEAD_ATTEMPT_LIMIT: "1/1m" } }));
