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
import type {
  Body,
  DocumentFacts,
  Operation,
  OperationGroup,
  ResponseBody,
} from "./operations/operation.ts";
import { SITE_OPERATIONS } from "./operations/site.ts";

export type { DocumentFacts };

const GROUPS: readonly OperationGroup[] = [
  SITE_OPERATIONS,
  LEAD_OPERATIONS,
  DESCRIPTION_OPERATIONS,
];

const COMPONENTS = "#/components/schemas/";

/** Builds the document; its texts are in English. */
export function openApiDocument(facts: DocumentFacts, groups = GROUPS): Json {
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
    tags: groups.map(({ tag, description }) => ({ name: tag, description })),
    externalDocs: { description: "Developer resources", url: `${siteUrl}/developers` },
    security: [],
    paths: pathsOf(groups, facts),
    components: { schemas: components(), headers: HEADERS },
  };
}

function pathsOf(groups: readonly OperationGroup[], facts: DocumentFacts): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const { tag, operations } of groups) {
    for (const { path, method, ...operation } of operations(facts)) {
      (paths[path] ??= {})[method] = operationObject(operation, { ...facts, tag });
    }
  }
  return paths;
}

function operationObject(
  { query, requestBody, responses, ...texts }: Omit<Operation, "path" | "method">,
  { tag, siteUrl }: DocumentFacts & { readonly tag: string },
): Json {
  return {
    ...texts,
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
      Object.entries(responses).map(([status, one]) => [status, responseOf(one, siteUrl)]),
    ),
  };
}

function responseOf(response: ResponseBody, siteUrl: string): Json {
  const { description, headers = [] } = response;
  const content = contentOf(
    "schema" in response ? response : {
      description,
      schema: ApiError,
      examples: Object.fromEntries(response.codes.map((code) => {
        return [code, errorBody(code, { siteUrl, details: response.details?.[code] }) as Json];
      })),
    },
  );
  return { description, headers: headersOf([...COMMON_HEADERS, ...headers]), content };
}

function contentOf({ type = "application/json", description, schema, examples }: Body): Json {
  const isNamed = schema instanceof z.ZodType;
  const id = isNamed ? z.globalRegistry.get(schema)?.id : undefined;
  if (isNamed && id === undefined) {
    throw new TypeError(`The schema of the body "${description}" needs .meta({ id: "…" })`);
  }
  const shape = isNamed ? { $ref: COMPONENTS + id } : schema;
  return { [type]: { schema: shape, examples: namedExamples(examples) } };
}

/** zod's bounds of every integer are no rule of ours. */
function override({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** The members of a query as a client writes them. */
function parametersOf(query: z.ZodObject): Json {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: "input", override });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    ...(required.includes(name) && { required: true }),
    schema: schema as Json,
  }));
}

/** The schemas that have an id, by name; where one contains another, it refers to it. */
function components(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: (id) => COMPONENTS + id, override });
  // The document itself says which dialect its schemas are in.
  const own = Object.entries(schemas).map(([id, { $schema: _, $id: __, ...own }]) => [id, own]);
  return Object.fromEntries(own.toSorted());
}
