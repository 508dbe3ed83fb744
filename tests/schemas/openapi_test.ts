/**
 * @module The OpenAPI document where `contract/tiers/document.ts` does not judge it: the exact shapes of
 * the schemas, the servers, the codes of errors, and Redocly's rules.
 */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { ERROR_CODES } from "../../schemas/error_codes.ts";
import { openApiDocument } from "../../schemas/openapi.ts";

const SITE_URL = "https://frontdoor.test";
const LOCAL_URL = "http://localhost:8000";

// deno-lint-ignore no-explicit-any -- a document is JSON
function documentOf(siteUrl: string, localUrl: string): any {
  return openApiDocument({ siteName: "Nordlotse", siteUrl, localUrl });
}

const DOCUMENT = documentOf(SITE_URL, LOCAL_URL);
const SCHEMAS = DOCUMENT.components.schemas;

const string = { type: "string" };
const uri = { type: "string", format: "uri" };

/** Specification §2, its tables: properties, and which of them are optional. */
const SHAPES: Readonly<Record<string, readonly [properties: object, ...optional: string[]]>> = {
  Health: [{ ok: { type: "boolean" }, name: string, service: string, status: string }],
  SiteIndex: [{
    name: string,
    url: uri,
    kind: string,
    description: string,
    resources: { type: "object", propertyNames: string, additionalProperties: string },
    productApi: {
      type: "object",
      properties: { status: string, note: string },
      additionalProperties: {},
    },
  }, "description"],
  LeadRequest: [
    {
      email: { type: "string", format: "email" },
      company: { type: "string", maxLength: 120 },
      message: { type: "string", maxLength: 2000 },
      plan: { type: "string", enum: ["pro", "business", "enterprise", "hosted", "unspecified"] },
      locale: { type: "string", enum: ["en", "de"] },
      website: { type: "string", maxLength: 0 },
    },
    ...["message", "plan", "website"],
  ],
  LeadResponse: [{ ok: { type: "boolean" }, delivered: { type: "boolean" } }],
  ApiError: [{
    error: {
      type: "object",
      properties: { code: string, message: string, hint: string, docs: uri, details: {} },
      required: ["code", "message", "hint", "docs"],
      additionalProperties: false,
    },
  }],
};

/** A schema without what is said for people. */
function bare(value: unknown, isPropertyMap = false): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isPropertyMap || !["description", "examples"].includes(name))
      .map(([name, inner]) => [name, bare(inner, !isPropertyMap && name === "properties")]),
  );
}

Deno.test("the schemas are published exactly as the specification's tables have them", () => {
  const expected = Object.entries(SHAPES).map(([name, [properties, ...optional]]) => {
    const required = Object.keys(properties).filter((name) => !optional.includes(name));
    return [name, { type: "object", properties, required, additionalProperties: false }];
  });
  deepEqual(bare(SCHEMAS, true), Object.fromEntries(expected));
});

Deno.test("there are exactly the five operations of the specification", () => {
  const operations = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
    Object.keys(item as object).map((method) => `${method} ${path}`)
  );
  deepEqual(operations, [
    "get /api/health",
    "get /api/site",
    "post /api/lead",
    "get /openapi.json",
    "get /api/openapi.yaml",
  ]);
});

Deno.test("every header is required but for compression and https", () => {
  const headers = Object.entries(
    DOCUMENT.components.headers as Record<string, { required: boolean }>,
  );
  const optional = headers.filter(([, { required }]) => !required).map(([name]) => name);
  deepEqual(optional, ["Content-Encoding", "Strict-Transport-Security"]);
});

Deno.test("it is OpenAPI 3.1 whose servers are the site and the local one, each once", () => {
  match(DOCUMENT.openapi, /^3\.1\.\d+$/);
  equal(DOCUMENT.info.version, "1.0.0");
  deepEqual(DOCUMENT.security, []);
  const urls = (document: typeof DOCUMENT) =>
    document.servers.map(({ url }: { url: string }) => url);
  deepEqual(urls(DOCUMENT), [SITE_URL, LOCAL_URL]);
  deepEqual(urls(documentOf(LOCAL_URL, LOCAL_URL)), [LOCAL_URL]);
});

Deno.test("every code has words and a hint with a URL of the site, and is described", () => {
  const { code } = SCHEMAS.ApiError.properties.error.properties;
  const listed = [...code.description.matchAll(/^- `(\w+)` \((\d{3})\): [A-Z].+\.$/gm)]
    .map(([, code, status]) => [code, Number(status)]);
  deepEqual(listed, Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status]));
  for (const { hint } of Object.values(ERROR_CODES)) match(hint, /^[A-Z].*\{site\}.*\.$/);
});

/** What Redocly's `recommended` rules find, and why it stays. */
const WAIVED: Readonly<Record<string, string>> = {
  "no-server-example.com #/servers/1/url":
    "specification §1 names a local development server; example.com is not among the servers",
  "operation-4xx-response #/paths/~1openapi.json/get/responses":
    "specification §4 lists no other response",
  "operation-4xx-response #/paths/~1api~1openapi.yaml/get/responses":
    "specification §4 lists no other response",
};

Deno.test("the document lints clean by Redocly's recommended rules, but for what is waived", async () => {
  const problems = await lintFromString({
    source: JSON.stringify(DOCUMENT),
    config: await createConfig({ extends: ["recommended"] }),
    absoluteRef: "openapi.json",
  });
  const found = problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`);
  deepEqual(found.sort(), Object.keys(WAIVED).sort());
});
