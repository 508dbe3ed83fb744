/**
 * @module GET /openapi.json and GET /api/openapi.yaml: one document in two formats (specification §4.7).
 * The schemas and the YAML library are loaded with the first request.
 */

import type { Config } from "../config/config.ts";
import { lazy } from "../schemas/lazy.ts";
import type { AppHandler } from "./env.ts";
import { publicDocument } from "./http/public_document.ts";

export function openApi(config: Config): { json: AppHandler; yaml: AppHandler } {
  const { siteUrl } = config;
  const document = lazy(async () =>
    (await import("../schemas/openapi.ts")).openApiDocument(config)
  );
  return {
    json: publicDocument("application/json", {
      siteUrl,
      build: async () => JSON.stringify(await document()),
    }),
    yaml: publicDocument("application/yaml", {
      siteUrl,
      async build() {
        const { stringify } = await import("yaml");
        // Anchors would be legal YAML, but many OpenAPI readers do not follow them.
        return stringify(await document(), { aliasDuplicateObjects: false });
      },
    }),
  };
}
