/**
 * @module The OpenAPI 3.1 document, built from the operations and their schemas (specification §4, §7 to §9).
 *
 * It lists the specification's operations and responses, and every header that a response can have;
 * not what HTTP adds (HEAD, OPTIONS, 304), nor bugs (500).
 */

import { z } from "zod";
import { ApiError } from "./api_error.ts";
import { errorBody } from "./error_codes.ts";
import { COMMON_HEADERS, HEADERS, headersOf, type Json, namedExamples } from "./openapi_headers.ts";
import { DESCRIPTION_OPERATIONS, OPENAPI, VERSION } from "./operations/description.ts";
import { LEAD_OPERATIONS } from "./operations/leads.ts";
import type { Body, DocumentFacts, Operation } from "./operations/operation.ts";
import { SITE_OPERATIONS } from "./operations/site.ts";

export type { DocumentFacts };

const GROUPS = [SITE_OPERATIONS, LEAD_OPERATIONS, DESCRIPTION_OPERATIONS];

const JSON_TYPE = "application/json";

const COMPONENTS = "#/components/schemas/";

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
        `what you do not know. The compatibility policy is at ${siteUrl}/docs#compatibility.`,
      contact: { name: `${siteName} developer resources`, url: `${siteUrl}/developers` },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [
      { url: siteUrl, description: "The site." },
      ...(localUrl === siteUrl ? [] : [{ url: localUrl, description: "Local development." }]),
    ],
    tags: GROUPS.map(({ tag, description }) => ({ name: tag, description })),
    externalDocs: { description: "Developer resources", url: `${siteUrl}/developers` },
    security: [],
    paths: paths(facts),
    components: {
      schemas: components(),
      headers: HEADERS,
    },
  };
}

function paths(facts: DocumentFacts): Json {
  const all: Record<string, Record<string, Json>> = {};
  for (const { tag, operations } of GROUPS) {
    for (const operation of operations(facts)) {
      const item = all[operation.path] ??= {};
      item[operation.method] = operationObject(operation, { tag, siteUrl: facts.siteUrl });
    }
  }
  return all;
}

function operationObject(
  { operationId, summary, description, query, requestBody, responses }: Operation,
  { tag, siteUrl }: { readonly tag: string; readonly siteUrl: string },
): Json {
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: [],
    ...(query && { parameters: parametersOf(query) }),
    ...(requestBody && {
      requestBody: {
        required: true,
        description: requestBody.description,
        content: contentOf(requestBody),
      },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map((
        [status, response],
      ) => [status, responseOf(response, siteUrl)]),
    ),
  };
}

function responseOf(response: Operation["responses"][number], siteUrl: string): Json {
  const { description, headers = [] } = response;
  const body = "schema" in response ? response : {
    description,
    schema: ApiError,
    examples: Object.fromEntries(response.codes.map((code) => {
      return [code, errorBody(code, { siteUrl, details: response.details?.[code] }) as Json];
    })),
  };
  return {
    description,
    headers: headersOf([...COMMON_HEADERS, ...headers]),
    content: contentOf(body),
  };
}

function contentOf({ type = JSON_TYPE, description, schema, examples }: Body): Json {
  return {
    [type]: { schema: schemaOf(schema, description), examples: namedExamples(examples) },
  };
}

function schemaOf(schema: Body["schema"], description: string): Json {
  if (!(schema instanceof z.ZodType)) return schema;
  const { id } = z.globalRegistry.get(schema) ?? {};
  if (id !== undefined) return { $ref: COMPONENTS + id };
  throw new TypeError(`The schema of the body "${description}" needs .meta({ id: "…" })`);
}

/** The members of a query as a client writes them. */
function parametersOf(query: z.ZodObject): Json {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: "input" });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    ...(required.includes(name) && { required: true }),
    schema: schema as Json,
  }));
}

/** The schemas that have an id, by name; where one contains another, it refers to it. */
function components(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    uri: (id) => COMPONENTS + id,
    override({ jsonSchema }) {
      // zod's bounds of every integer are no rule of ours.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  // The document itself says which dialect its schemas are in.
  const own = Object.entries(schemas).map(([id, { $schema: _, $id: __, ...own }]) => [id, own]);
  return Object.fromEntries(own.toSorted());
}
