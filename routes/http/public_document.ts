/** @module Answers that any origin may read: uncached JSON, and documents kept for minutes. */

import type { Context } from "@hono/hono";
import { prebuild, prebuiltOnce } from "./prebuilt.ts";
import { apiSecurityHeaders } from "./security_headers.ts";

/** Caching of pages and documents: a change is visible within five minutes. */
export const MINUTES_5 = { "cache-control": "public, max-age=300" };

/** Headers of JSON that is about this request or this moment. */
export function uncachedJson(siteUrl: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...apiSecurityHeaders(siteUrl),
  };
}

export function publicDocument(
  contentType: string,
  { siteUrl, build, headers }: {
    readonly siteUrl: string;
    readonly build: () => string | Promise<string | Uint8Array<ArrayBuffer>>;
    readonly headers?: Readonly<Record<string, string>>;
  },
): (c: Context) => Response | Promise<Response> {
  const fields = { "content-type": contentType, ...MINUTES_5, ...apiSecurityHeaders(siteUrl) };
  return prebuiltOnce(async () => prebuild(await build(), { ...fields, ...headers }));
}
