/** @module GET /api/health (specification §4): the liveness probe, without any I/O. */

import type { Config } from "../config/config.ts";
import type { Health } from "../schemas/operations/site.ts";
import type { AppHandler } from "./env.ts";
import { prebuildPlain, respond } from "./http/prebuilt.ts";
import { uncachedJson } from "./http/public_document.ts";

/** Uncached, because it is about this moment. */
export function health({ siteName, serviceId, siteUrl }: Config): AppHandler {
  const body: Health = { ok: true, name: siteName, service: serviceId, status: "healthy" };
  const headers = uncachedJson(siteUrl);
  const prebuilt = prebuildPlain(JSON.stringify(body), { status: 200, headers });
  return (c) => respond(c, prebuilt);
}
