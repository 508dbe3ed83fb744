/** @module The GET operations of the API (specification §4): health, site index and description. */

import type { Config } from "../config/config.ts";
import type { Health } from "../schemas/answers.ts";
import { lazy } from "../schemas/lazy.ts";
import type { AppHandler, RouteDeps } from "./env.ts";
import { prebuildPlain, respond } from "./http/prebuilt.ts";
import { publicDocument, uncachedJson } from "./http/public_document.ts";

/** The liveness probe, without any I/O; uncached, because it is about this moment. */
export function health({ siteName, serviceId, siteUrl }: Config): AppHandler {
  const body: Health = { ok: true, name: siteName, service: serviceId, status: "healthy" };
  const prebuilt = prebuildPlain(JSON.stringify(body), {
    status: 200,
    headers: uncachedJson(siteUrl),
  });
  return (c) => respond(c, prebuilt);
}

/** Brand, public pages, discovery documents, and that there is no product API here. */
export function siteIndex(
  { site, config: { siteUrl } }: Pick<RouteDeps, "site" | "config">,
): AppHandler {
  return publicDocument("application/json", {
    siteUrl,
    build: async () =>
      JSON.stringify((await import("../site/indexes.ts")).siteIndexOf(await site())),
  });
}

/** One document in two formats, whose libraries the first request loads. */
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
