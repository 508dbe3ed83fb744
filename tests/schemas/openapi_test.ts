/** @module The OpenAPI document beyond the contract's `document` tier: servers, codes, Redocly's rules. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { ERROR_CODES, errorBody } from "../../schemas/error_codes.ts";
import { openApiDocument } from "../../schemas/openapi.ts";

const SITE_URL = "https://frontdoor.test";
const LOCAL_URL = "http://localhost:8000";

// deno-lint-ignore no-explicit-any -- a document is JSON
function documentOf(siteUrl: string, localUrl: string): any {
  return openApiDocument({ siteName: "Example", serviceId: "example", siteUrl, localUrl });
}

const DOCUMENT = documentOf(SITE_URL, LOCAL_URL);
const SCHEMAS = DOCUMENT.components.schemas;

Deno.test("every header but those of compression and https is required", () => {
  const headers = Object.entries<{ required: boolean }>(DOCUMENT.components.headers);
  const optional = headers.filter(([, { required }]) => !required).map(([name]) => name);
  deepEqual(optional, ["Content-Encoding", "Strict-Transport-Security"]);
});

Deno.test("every request, response and header has an example, and a 400 one for each of its codes", () => {
  // deno-lint-ignore no-explicit-any -- as the document
  const operations: any[] = Object.values(DOCUMENT.paths).flatMap(Object.values as any);
  const shown = operations.flatMap(({ operationId, requestBody, responses }) =>
    Object.entries<typeof requestBody>({ request: requestBody, ...responses })
      .filter(([, message]) => message !== undefined)
      .flatMap(([name, { content }]) =>
        Object.values<typeof content>(content)
          .map(({ examples }) => `${operationId} ${name}: ${Object.keys(examples).join(", ")}`)
      )
  );
  deepEqual(shown.filter((line) => line.startsWith("createLead")), [
    "createLead 200: stored, delivered",
    "createLead 400: bad_host, invalid_json, unsupported_media_type, body_too_large, " +
    "body_too_slow, invalid_lead",
    "createLead 405: method_not_allowed",
    "createLead 429: rate_limited",
    "createLead 502: lead_not_stored",
    "createLead request: complete, minimal",
  ]);
  deepEqual(shown.filter((line) => line.endsWith(": ")), []);
  const headers = Object.entries<Record<string, unknown>>(DOCUMENT.components.headers);
  deepEqual(headers.filter(([, { example, examples }]) => !(example ?? examples)), []);
});

Deno.test("the document lists each server once", () => {
  const urls = (document: typeof DOCUMENT) =>
    document.servers.map(({ url }: { url: string }) => url);
  deepEqual(urls(DOCUMENT), [SITE_URL, LOCAL_URL]);
  deepEqual(urls(documentOf(LOCAL_URL, LOCAL_URL)), [LOCAL_URL]);
});

Deno.test("every error code is described and has a hint with a URL of the site", () => {
  const { code } = SCHEMAS.ApiError.properties.error.properties;
  const listed = [...code.description.matchAll(/^- `(\w+)` \((\d{3})\): [A-Z].+\.$/gm)]
    .map(([, code, status]) => [code, Number(status)]);
  deepEqual(listed, Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status]));
  for (const { hint } of Object.values(ERROR_CODES)) match(hint, /^[A-Z].*\{site\}.*\.$/);
  equal(errorBody("invalid_lead", { siteUrl: SITE_URL, details: 1 }).error.details, 1);
});

/** Findings of Redocly's `recommended` rules, and why they are waived. */
const WAIVED: Readonly<Record<string, string>> = {
  "no-server-example.com #/servers/1/url":
    "specification §1 names a local development server; example.com is not among the servers",
  "operation-4xx-response #/paths/~1openapi.json/get/responses":
    "specification §4 lists no other response",
  "operation-4xx-response #/paths/~1api~1openapi.yaml/get/responses":
    "specification §4 lists no other response",
};

Deno.test("the document passes Redocly's recommended rules, except for what is waived", async () => {
  const problems = await lintFromString({
    source: JSON.stringify(DOCUMENT),
    config: await createConfig({ extends: ["recommended"] }),
    absoluteRef: "openapi.json",
  });
  const found = problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`);
  deepEqual(found.sort(), Object.keys(WAIVED).sort());
});
