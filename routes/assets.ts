/**
 * @module GET /assets/:name: stylesheet, scripts and images of the pages, each built with its first
 * request. Each asset is a route of its own: no path of a request ever reaches a file system.
 */

import type { AppHandler } from "./env.ts";
import { prebuild, prebuiltOnce } from "./http/prebuilt.ts";
import { apiSecurityHeaders } from "./http/security_headers.ts";

/** Where the assets are. */
export interface AssetSource {
  /** Their names, such as `site.css`; a name has no slash. */
  list(): Promise<readonly string[]>;
  /** The bytes of one of them. */
  read(name: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** Names carry no hash: what pages are made to work with must not be older than they are for long. */
const MINUTES_5 = { "cache-control": "public, max-age=300" };
const AN_HOUR = { "cache-control": "public, max-age=3600" };

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
};

/** The media type of an asset by the ending of its name; undefined for what is not to be served. */
function mediaTypeOf(name: string): string | undefined {
  return MEDIA_TYPES[name.split(".").at(-1) ?? ""];
}

/** The names of those assets that may be served. */
export async function assetNames(assets: Pick<AssetSource, "list">): Promise<string[]> {
  return (await assets.list()).filter((name) => mediaTypeOf(name) !== undefined);
}

/** Creates the handler of GET of one asset that may be served. */
export function asset(
  name: string,
  { assets, siteUrl }: {
    readonly assets: Pick<AssetSource, "read">;
    readonly siteUrl: string;
  },
): AppHandler {
  const type = mediaTypeOf(name)!;
  const headers = {
    "content-type": type,
    ...(type.startsWith("text/") ? MINUTES_5 : AN_HOUR),
    ...apiSecurityHeaders(siteUrl),
  };
  return prebuiltOnce(async () => prebuild(await assets.read(name), headers));
}
