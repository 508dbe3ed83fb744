/** @module GET /api/health: the liveness probe, without any I/O (specification §4.1). */

import type { Config } from "../config/config.ts";
import type { Health } from "../schemas/site.ts";
import type { AppHandler } from "./env.ts";
import { prebuildPlain, respond } from "./http/prebuilt.ts";
import { apiSecurityHeaders } from "./http/security_headers.ts";

/** Creates the handler. Its answer must not be cached: it is about this moment. */
export function health({ siteName, serviceId, siteUrl }: Config): AppHandler {
  const body: Health = { ok: true, name: siteName, service: serviceId, status: "healthy" };
  const prebuilt = prebuildPlain(JSON.stringify(body), 200, {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...apiSecurityHeaders(siteUrl),
  });
  return (c) => respond(c, prebuilt);
}
