/** @module The OpenAPI document beyond the contract's `document` tier: servers, codes, Redocly's rules. */

import {
  deepStrictEqual as deepEqual,
  match,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { z } from "zod";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { ERROR_CODES, errorBody } from "../../schemas/error_codes.ts";
import { openApiDocument } from "../../schemas/openapi.ts";
import { Health } from "../../schemas/operations/site.ts";

const SITE_URL = "https://frontdoor.test";
const LOCAL_URL = "http://localhost:8000";

const FACTS = {
  ...{ siteName: "Example", serviceId: "example" },
  ...{ siteUrl: SITE_URL, localUrl: LOCAL_URL },
};

// deno-lint-ignore no-explicit-any -- a document is JSON
function documentOf(siteUrl: string, localUrl: string): any {
  return openApiDocument({ ...FACTS, siteUrl, localUrl });
}

const DOCUMENT = documentOf(SITE_URL, LOCAL_URL);
const SCHEMAS = DOCUMENT.components.schemas;

Deno.test("every header but those of compression, https and tests is required", () => {
  const headers = Object.entries<{ required: boolean }>(DOCUMENT.components.headers);
  const optional = headers.filter(([, { required }]) => !required).map(([name]) => name);
  deepEqual(optional, ["Content-Encoding", "Lead-Test", "Strict-Transport-Security"]);
});

Deno.test("an operation has its query as parameters; a body without a name is told", () => {
  const limit = z.coerce.number().int().min(1).default(10).meta({ description: "How many." });
  const documentWith = (schema: z.ZodType) =>
    openApiDocument(FACTS, [{
      tag: "Site",
      description: "",
      operations: () => [{
        ...{ method: "get", path: "/api/a", operationId: "a", summary: "", description: "" },
        query: z.object({ limit, after: z.string() }),
        responses: { 200: { description: "All.", schema, examples: {} } },
      }],
      // deno-lint-ignore no-explicit-any -- as the document
    }]) as any;
  const { parameters, responses } = documentWith(Health).paths["/api/a"].get;
  const schema = { type: "integer", default: 10, minimum: 1, description: "How many." };
  deepEqual(parameters, [{ name: "limit", in: "query", schema }, {
    ...{ name: "after", in: "query", required: true, schema: { type: "string" } },
  }]);
  const { $ref } = responses[200].content["application/json"].schema;
  equal($ref, "#/components/schemas/Health");
  throws(() => documentWith(z.string()), /The schema of the body "All\." needs/);
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
