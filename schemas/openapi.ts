/**
 * @module The OpenAPI 3.1 document, built from the schemas (specification §4, §7 to §9).
 *
 * It lists the specification's operations and responses, and every header that a response can have;
 * not what HTTP adds (HEAD, OPTIONS, 304), nor bugs (500).
 */

import { z } from "zod";
import { ApiError, Health, SiteIndex } from "./answers.ts";
import { errorBody, type ErrorCode } from "./error_codes.ts";
import { LeadRequest, LeadResponse, parseLead, TEST_LEADS } from "./lead.ts";
import {
  CACHED_HEADERS,
  COMMON_HEADERS,
  HEADERS,
  headersOf,
  type Json,
  namedExamples,
} from "./openapi_headers.ts";

/** The names and URLs of a deployment. */
export interface DocumentFacts {
  readonly siteName: string;
  readonly serviceId: string;
  readonly siteUrl: string;
  readonly localUrl: string;
}

const SCHEMAS = { ApiError, Health, LeadRequest, LeadResponse, SiteIndex };

const JSON_TYPE = "application/json";

const OPENAPI = "3.1.1";
const VERSION = "1.0.0";

type HeaderName = keyof typeof HEADERS;

function ref(name: keyof typeof SCHEMAS): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** A response with a body, which any origin may read, and examples of that body by name. */
function response(description: string, { headers = [], type = JSON_TYPE, schema, examples }: {
  readonly headers?: readonly HeaderName[];
  readonly type?: string;
  readonly schema: Json;
  readonly examples: { readonly [name: string]: Json };
}): Json {
  return {
    description,
    headers: headersOf([...COMMON_HEADERS, ...headers]),
    content: { [type]: { schema, examples: namedExamples(examples) } },
  };
}

/** Headers of every answer to a lead. */
const LIMITS: readonly HeaderName[] = [
  "RateLimit-Policy",
  "RateLimit",
  "Access-Control-Expose-Headers",
  "X-Request-Id",
];

function paths({ siteName, serviceId, siteUrl }: DocumentFacts): Json {
  /** An error response, with the service's own answer as the example of each code. */
  function failure(description: string, { codes, details, ...answer }: {
    readonly codes: readonly ErrorCode[];
    readonly details?: { readonly [code in ErrorCode]?: unknown };
    readonly headers?: readonly HeaderName[];
  }): Json {
    const examples = Object.fromEntries(codes.map((code) => {
      return [code, errorBody(code, { siteUrl, details: details?.[code] }) as Json];
    }));
    return response(description, { ...answer, schema: ref("ApiError"), examples });
  }

  const methodNotAllowed = failure("The path does not support this method.", {
    codes: ["method_not_allowed"],
    headers: ["Allow"],
  });
  return {
    "/api/health": {
      get: {
        operationId: "getHealth",
        summary: "Liveness probe",
        description: "Responds as long as the process runs. Returns no product data.",
        tags: ["Site"],
        security: [],
        responses: {
          "200": response("The service is up.", {
            schema: ref("Health"),
            examples: {
              healthy: { ok: true, name: siteName, service: serviceId, status: "healthy" },
            },
          }),
          "405": methodNotAllowed,
        },
      },
    },
    "/api/site": {
      get: {
        operationId: "getSiteIndex",
        summary: "Site index",
        description: "Returns the brand, public pages and discovery documents, and states that " +
          "the product API is not on this host.",
        tags: ["Site"],
        security: [],
        responses: {
          "200": response("The site index.", {
            schema: ref("SiteIndex"),
            headers: CACHED_HEADERS,
            examples: {
              abridged: {
                name: siteName,
                url: siteUrl,
                kind: "marketing-site",
                resources: { home: `${siteUrl}/`, llms: `${siteUrl}/llms.txt` },
                productApi: { status: "not-on-this-host" },
              },
            },
          }),
          "405": methodNotAllowed,
        },
      },
    },
    "/api/lead": {
      post: {
        operationId: "createLead",
        summary: "Send a lead",
        description: "Accepts an enquiry. Creates no tenant and is not a product signup. " +
          "A 200 means that the lead is stored or already delivered; after a 502, send it again. " +
          "The same lead within 24 hours is one lead. For tests, use an address under the reserved " +
          "top-level domain `.invalid`: the lead is fully validated but neither stored nor " +
          "delivered. Requests are limited per client address; see the RateLimit headers.",
        tags: ["Leads"],
        security: [],
        requestBody: {
          required: true,
          description: "At most 64 KiB, sent within 10 seconds.",
          content: {
            [JSON_TYPE]: {
              schema: ref("LeadRequest"),
              examples: namedExamples(TEST_LEADS),
            },
          },
        },
        responses: {
          "200": response(
            "The lead is accepted; `delivered` says whether every target has acknowledged it.",
            {
              schema: ref("LeadResponse"),
              headers: LIMITS,
              examples: {
                stored: { ok: true, delivered: false },
                delivered: { ok: true, delivered: true },
              },
            },
          ),
          "400": failure("The body is not a LeadRequest in JSON.", {
            codes: [
              "bad_host",
              "invalid_json",
              "unsupported_media_type",
              "body_too_large",
              "body_too_slow",
              "invalid_lead",
            ],
            headers: LIMITS,
            details: {
              invalid_lead: parseLead({ email: "ada", company: "Example GmbH", locale: "fr" }),
            },
          }),
          "405": methodNotAllowed,
          "429": failure("The client has used up one of its limits.", {
            codes: ["rate_limited"],
            headers: ["Retry-After", ...LIMITS],
          }),
          "502": failure(
            "We could not confirm that the lead was stored or delivered. Send it again.",
            { codes: ["lead_not_stored"], headers: LIMITS },
          ),
        },
      },
    },
    "/openapi.json": {
      get: {
        operationId: "getOpenApiJson",
        summary: "This description as JSON",
        description: "The canonical API description.",
        tags: ["Description"],
        security: [],
        responses: {
          "200": response("This document.", {
            schema: { type: "object", additionalProperties: true },
            headers: CACHED_HEADERS,
            examples: { abridged: { openapi: OPENAPI, info: { version: VERSION } } },
          }),
        },
      },
    },
    "/api/openapi.yaml": {
      get: {
        operationId: "getOpenApiYaml",
        summary: "This description as YAML",
        description: "The same description as `/openapi.json`, in YAML 1.2.",
        tags: ["Description"],
        security: [],
        responses: {
          "200": response("This document.", {
            type: "application/yaml",
            schema: { type: "string" },
            headers: CACHED_HEADERS,
            examples: { abridged: `openapi: ${OPENAPI}\ninfo:\n  version: ${VERSION}\n` },
          }),
        },
      },
    },
  };
}

/** Builds the document; its texts are in English. */
export function openApiDocument(facts: DocumentFacts): Json {
  const { siteName, siteUrl, localUrl } = facts;
  return {
    openapi: OPENAPI,
    info: {
      version: VERSION,
      title: `${siteName} public site API`,
      summary: "Liveness, site index, lead intake and the API description.",
      description:
        `The small public HTTP API of the marketing and discovery site of ${siteName}. ` +
        "The product itself is a separate application, which is not served here.\n\n" +
        "Operations, optional fields, error codes and headers may be added to this version, so ignore " +
        `what you do not know. The compatibility policy is at ${siteUrl}/docs.`,
      contact: { name: `${siteName} developer resources`, url: `${siteUrl}/developers` },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [
      { url: siteUrl, description: "The site." },
      ...(localUrl === siteUrl ? [] : [{ url: localUrl, description: "Local development." }]),
    ],
    tags: [
      { name: "Site", description: "What this host is and whether it is up." },
      { name: "Leads", description: "Enquiries, which the API calls leads." },
      { name: "Description", description: "The API description itself." },
    ],
    externalDocs: { description: "Developer resources", url: `${siteUrl}/developers` },
    security: [],
    paths: paths(facts),
    components: {
      schemas: components(),
      headers: HEADERS,
    },
  };
}

/** The schemas by name; where one contains another, it refers to it. */
function components(): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    override({ jsonSchema }) {
      // zod's bounds of every integer are no rule of ours.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  // The document itself says which dialect its schemas are in.
  const own = Object.entries(schemas).map(([id, { $schema: _, $id: __, ...own }]) => [id, own]);
  return Object.fromEntries(own);
}
