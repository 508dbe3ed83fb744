/** @module The API description itself (specification §4), as JSON and as YAML. */

import { CACHED_HEADERS } from "../openapi_headers.ts";
import type { OperationGroup } from "./operation.ts";

/** The version of OpenAPI, and of the API (specification §9). */
export const OPENAPI = "3.1.1";
export const VERSION = "1.0.0";

export const DESCRIPTION_OPERATIONS: OperationGroup = {
  tag: "Description",
  description: "The API description itself.",
  operations: () => [{
    method: "get",
    path: "/openapi.json",
    operationId: "getOpenApiJson",
    summary: "This description as JSON",
    description: "The canonical API description.",
    responses: {
      200: {
        description: "This document.",
        schema: { type: "object", additionalProperties: true },
        headers: CACHED_HEADERS,
        examples: { abridged: { openapi: OPENAPI, info: { version: VERSION } } },
      },
    },
  }, {
    method: "get",
    path: "/api/openapi.yaml",
    operationId: "getOpenApiYaml",
    summary: "This description as YAML",
    description: "The same description as `/openapi.json`, in YAML 1.2.",
    responses: {
      200: {
        description: "This document.",
        type: "application/yaml",
        schema: { type: "string" },
        headers: CACHED_HEADERS,
        examples: { abridged: `openapi: ${OPENAPI}\ninfo:\n  version: ${VERSION}\n` },
      },
    },
  }],
};
