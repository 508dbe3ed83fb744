/**
 * @module The OpenAPI document against the specification (§2, §4, §8, §9), against two validators that
 * know nothing of this project, and against itself: its examples are valid by its own schemas.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { ERROR_CODES } from "../../schemas/error_codes.ts";
import { openApiDocument } from "../../schemas/openapi.ts";
import { faultsOf } from "../support/must_be.ts";

interface Schema {
  readonly [keyword: string]: unknown;
}

interface Content {
  readonly [mediaType: string]: {
    readonly schema: Schema;
    readonly example?: unknown;
    readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

interface Response {
  readonly description: string;
  readonly headers: Record<string, Schema>;
  readonly content: Content;
}

interface Operation {
  readonly operationId: string;
  readonly security: unknown;
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly parameters?: unknown;
  readonly responses: Record<string, Response>;
}

interface Document {
  readonly openapi: string;
  readonly info: Record<string, unknown>;
  readonly servers: readonly { readonly url: string }[];
  readonly security: unknown;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, Schema & { readonly examples: readonly unknown[] }>;
    readonly headers: Record<
      string,
      Schema & { readonly schema: Schema; readonly example: unknown }
    >;
  };
}

const SITE_URL = "https://frontdoor.test";
const LOCAL_URL = "http://localhost:8000";
const JSON_TYPE = "application/json";
const YAML_TYPE = "application/yaml";

function documentOf(siteUrl: string, localUrl: string): Document {
  const document: unknown = openApiDocument({ siteName: "Nordlotse", siteUrl, localUrl });
  return JSON.parse(JSON.stringify(document));
}

const DOCUMENT = documentOf(SITE_URL, LOCAL_URL);

/** Specification §4, its table: operation, method, path, request, and the schema of each response. */
const OPERATIONS = [
  ["getHealth", "get", "/api/health", null, { 200: "Health", 405: "ApiError" }],
  ["getSiteIndex", "get", "/api/site", null, { 200: "SiteIndex", 405: "ApiError" }],
  ["createLead", "post", "/api/lead", "LeadRequest", {
    200: "LeadResponse",
    400: "ApiError",
    405: "ApiError",
    429: "ApiError",
    502: "ApiError",
  }],
  ["getOpenApiJson", "get", "/openapi.json", null, { 200: { type: "object" } }],
  ["getOpenApiYaml", "get", "/api/openapi.yaml", null, { 200: { type: "string" } }],
] as const;

Deno.test("there are exactly the five operations of the specification", () => {
  const found = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => [operationId, method, path])
  );
  deepEqual(found, OPERATIONS.map(([id, method, path]) => [id, method, path]));
});

for (const [id, method, path, request, responses] of OPERATIONS) {
  const operation = DOCUMENT.paths[path]?.[method];
  const mediaType = id === "getOpenApiYaml" ? YAML_TYPE : JSON_TYPE;

  Deno.test(`${id} has exactly the responses of the specification`, () => {
    ok(operation);
    const found = Object.entries(operation.responses).map(([status, { content }]) => {
      deepEqual(Object.keys(content), [mediaType]);
      const { $ref, type } = content[mediaType]?.schema ?? {};
      return [status, typeof $ref === "string" ? $ref.split("/").at(-1) : { type }];
    });
    deepEqual(Object.fromEntries(found), { ...responses });
  });

  Deno.test(`${id} needs no credentials`, () => {
    deepEqual(operation?.security, []);
  });

  Deno.test(`${id} has ${request === null ? "no request body" : "a required JSON body"}`, () => {
    equal(operation?.parameters, undefined);
    if (request === null) return equal(operation?.requestBody, undefined);
    equal(operation?.requestBody?.required, true);
    const { content } = operation.requestBody;
    deepEqual(Object.keys(content), [JSON_TYPE]);
    deepEqual(content[JSON_TYPE]?.schema, { $ref: `#/components/schemas/${request}` });
  });
}

Deno.test("the JSON description is an object with any properties", () => {
  const schema = DOCUMENT.paths["/openapi.json"]?.["get"]?.responses["200"]?.content[JSON_TYPE]
    ?.schema;
  deepEqual(schema, { type: "object", additionalProperties: true });
});

Deno.test("every 405 lists Allow, the 429 lists Retry-After", () => {
  for (const path of ["/api/health", "/api/site", "/api/lead"]) {
    for (const { responses } of Object.values(DOCUMENT.paths[path] ?? {})) {
      ok(responses["405"]?.headers["Allow"]);
    }
  }
  ok(DOCUMENT.paths["/api/lead"]?.["post"]?.responses["429"]?.headers["Retry-After"]);
});

Deno.test("it is OpenAPI 3.1 and its own version is 1.0.0", () => {
  match(DOCUMENT.openapi, /^3\.1\.\d+$/);
  equal(DOCUMENT.info["version"], "1.0.0");
  deepEqual(DOCUMENT.security, []);
});

Deno.test("its servers are the site and the local development server, each once", () => {
  deepEqual(DOCUMENT.servers.map(({ url }) => url), [SITE_URL, LOCAL_URL]);
  deepEqual(documentOf(LOCAL_URL, LOCAL_URL).servers.map(({ url }) => url), [LOCAL_URL]);
});

const string = { type: "string" };

/** Specification §2, its tables: properties, those required, and whether others are allowed. */
const SHAPES: Record<string, { properties: Schema; required: readonly string[] }> = {
  Health: {
    properties: { ok: { type: "boolean" }, name: string, service: string, status: string },
    required: ["ok", "name", "service", "status"],
  },
  SiteIndex: {
    properties: {
      name: string,
      url: { type: "string", format: "uri" },
      kind: string,
      description: string,
      resources: { type: "object", propertyNames: string, additionalProperties: string },
      productApi: {
        type: "object",
        properties: { status: string, note: string },
        additionalProperties: {},
      },
    },
    required: ["name", "url", "kind", "resources", "productApi"],
  },
  LeadRequest: {
    properties: {
      email: { type: "string", format: "email" },
      company: { type: "string", maxLength: 120 },
      message: { type: "string", maxLength: 2000 },
      plan: { type: "string", enum: ["pro", "business", "enterprise", "hosted", "unspecified"] },
      locale: { type: "string", enum: ["en", "de"] },
      website: { type: "string", maxLength: 0 },
    },
    required: ["email", "company", "locale"],
  },
  LeadResponse: {
    properties: { ok: { type: "boolean" }, delivered: { type: "boolean" } },
    required: ["ok", "delivered"],
  },
  ApiError: {
    properties: {
      error: {
        type: "object",
        properties: {
          code: string,
          message: string,
          hint: string,
          docs: { type: "string", format: "uri" },
          details: {},
        },
        required: ["code", "message", "hint", "docs"],
        additionalProperties: false,
      },
    },
    required: ["error"],
  },
};

/** A schema without what is said for people. */
function bare(value: unknown, isPropertyMap = false): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isPropertyMap || !["description", "examples", "title"].includes(name))
      .map(([name, inner]) => [name, bare(inner, !isPropertyMap && name === "properties")]),
  );
}

Deno.test("the schemas are those of the specification and no others", () => {
  deepEqual(Object.keys(DOCUMENT.components.schemas).sort(), Object.keys(SHAPES).sort());
});

for (const [name, shape] of Object.entries(SHAPES)) {
  Deno.test(`${name} is published exactly as the specification's table has it`, () => {
    const published = bare(DOCUMENT.components.schemas[name]);
    deepEqual(published, { type: "object", ...shape, additionalProperties: false });
  });
}

for (const [name, schema] of Object.entries(DOCUMENT.components.schemas)) {
  Deno.test(`${name} has examples, and each is valid by its schema`, () => {
    ok(schema.examples.length > 0);
    for (const example of schema.examples) deepEqual(faultsOf(example, schema), []);
  });
}

for (const [name, { example, schema }] of Object.entries(DOCUMENT.components.headers)) {
  Deno.test(`the example of the header ${name} is valid by its schema`, () => {
    deepEqual(faultsOf(example, schema), []);
  });
}

for (
  const [path, type] of [["/openapi.json", JSON_TYPE], ["/api/openapi.yaml", YAML_TYPE]] as const
) {
  Deno.test(`the example of the answer of ${path} is valid by its schema`, () => {
    const media = DOCUMENT.paths[path]?.["get"]?.responses["200"]?.content[type];
    ok(media?.example);
    deepEqual(faultsOf(media.example, media.schema), []);
  });
}

for (const [id, method, path] of OPERATIONS) {
  const answers = Object.entries(DOCUMENT.paths[path]?.[method]?.responses ?? {});
  for (const [status, { content }] of answers.filter(([status]) => status !== "200")) {
    Deno.test(`${id} has a valid example for each code that comes with ${status}`, () => {
      const { schema, examples = {} } = content[JSON_TYPE] ?? {};
      deepEqual(schema, { $ref: "#/components/schemas/ApiError" });
      const codes = Object.entries(ERROR_CODES).filter(([, known]) =>
        String(known.status) === status
      );
      ok(codes.length > 0);
      deepEqual(Object.keys(examples), codes.map(([code]) => code));
      for (const { value } of Object.values(examples)) {
        deepEqual(faultsOf(value, DOCUMENT.components.schemas["ApiError"]!), []);
      }
    });
  }
}

Deno.test("the description of error.code lists every code, and the schema enumerates none", () => {
  // deno-lint-ignore no-explicit-any -- a schema of any shape
  const { code } = (DOCUMENT.components.schemas["ApiError"] as any).properties.error.properties;
  const listed = [...code.description.matchAll(/^- `(\w+)` \((\d{3})\): [A-Z].+\.$/gm)]
    .map(([, code, status]) => [code, Number(status)]);
  deepEqual(listed, Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status]));
  deepEqual(Object.keys(code), ["type", "description"]);
});

Deno.test("the document is valid by the OpenAPI 3.1 schema", async () => {
  const result = await new Validator().validate({ ...DOCUMENT });
  deepEqual(result, { valid: true });
});

/** What Redocly's `recommended` rules hold against the document, and why it stays. */
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
