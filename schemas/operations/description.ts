/** @module The API description itself (specification §4), as JSON and as YAML. */

import { CACHED_HEADERS } from "../openapi_headers.ts";
import type { Body, Operation, OperationGroup } from "./operation.ts";

/** The version of OpenAPI, and of the API (specification §9). */
export const OPENAPI = "3.1.1";
export const VERSION = "1.0.0";

export const DESCRIPTION_OPERATIONS: OperationGroup = {
  tag: "Description",
  description: "The API description itself.",
  operations: () => [{
    path: "/openapi.json",
    operationId: "getOpenApiJson",
    summary: "This description as JSON",
    description: "The canonical API description.",
    ...document({
      schema: { type: "object", additionalProperties: true },
      examples: { abridged: { openapi: OPENAPI, info: { version: VERSION } } },
    }),
  }, {
    path: "/api/openapi.yaml",
    operationId: "getOpenApiYaml",
    summary: "This description as YAML",
    description: "The same description as `/openapi.json`, in YAML 1.2.",
    ...document({
      type: "application/yaml",
      schema: { type: "string" },
      examples: { abridged: `openapi: ${OPENAPI}\ninfo:\n  version: ${VERSION}\n` },
    }),
  }],
};

function document(body: Omit<Body, "description">): Pick<Operation, "method" | "responses"> {
  const response = { description: "This document.", headers: CACHED_HEADERS, ...body };
  return { method: "get", responses: { 200: response } };
}
