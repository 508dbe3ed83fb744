/**
 * @module GET /assets/:name: stylesheet, scripts and images of the pages. Each asset is a route of its
 * own: no path of a request ever reaches a file system.
 */

import type { AppHandler } from "./env.ts";
import { publicDocument } from "./http/public_document.ts";

export interface AssetSource {
  /** Their names, such as `site.css`; a name has no slash. */
  list(): Promise<readonly string[]>;
  /** The bytes of one of them. */
  read(name: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** Names carry no hash: only images, which pages work without, may be kept for an hour. */
const AN_HOUR = { "cache-control": "public, max-age=3600" };

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
};

/** The media type of an asset by the ending of its name; undefined for what is not to be served. */
function mediaTypeOf(name: string): string | undefined {
  return MEDIA_TYPES[name.split(".").at(-1)!];
}

export async function assetNames(assets: Pick<AssetSource, "list">): Promise<string[]> {
  return (await assets.list()).filter((name) => mediaTypeOf(name) !== undefined);
}

export function asset(
  name: string,
  { assets, siteUrl }: {
    readonly assets: Pick<AssetSource, "read">;
    readonly siteUrl: string;
  },
): AppHandler {
  const type = mediaTypeOf(name)!;
  const headers = type.startsWith("image/") ? AN_HOUR : {};
  return publicDocument(type, { siteUrl, headers, build: () => assets.read(name) });
}
