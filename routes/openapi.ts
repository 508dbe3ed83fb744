/**
 * @module GET /openapi.json and GET /api/openapi.yaml: one value, two notations, each made on first
 * use (specification §4.7). The schemas and the YAML writer are loaded then, not at start.
 */

import type { Config } from "../config/config.ts";
import { lazy } from "../schemas/lazy.ts";
import type { AppHandler } from "./env.ts";
import { prebuild, prebuiltOnce } from "./http/prebuilt.ts";
import { apiSecurityHeaders } from "./http/security_headers.ts";

const yamlLibrary = lazy(() => import("yaml"));

/** Creates the handlers of GET for both notations. */
export function openApi(config: Config): { json: AppHandler; yaml: AppHandler } {
  const document = lazy(async () => {
    const { openApiDocument } = await import("../schemas/openapi.ts");
    return openApiDocument(config);
  });
  const headers = {
    "cache-control": "public, max-age=300",
    ...apiSecurityHeaders(config.siteUrl),
  };
  const json = prebuiltOnce(async () =>
    prebuild(JSON.stringify(await document()), { "content-type": "application/json", ...headers })
  );
  const yaml = prebuiltOnce(async () => {
    const { stringify } = await yamlLibrary();
    // Anchors would be legal YAML, but many OpenAPI readers do not follow them.
    const text = stringify(await document(), { aliasDuplicateObjects: false });
    return prebuild(text, { "content-type": "application/yaml", ...headers });
  });
  return { json, yaml };
}
