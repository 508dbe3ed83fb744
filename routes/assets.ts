/** @module A route for each asset: a request's path never reaches the file system. */

import type { AppHandler } from "./env.ts";
import { publicDocument } from "./http/public_document.ts";

export interface AssetSource {
  /** Names such as `site.css`, without slashes. */
  list(): Promise<readonly string[]>;
  read(name: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** Names carry no hash, so only images and the font, which pages work without, are cached for an hour. */
const AN_HOUR = { "cache-control": "public, max-age=3600" };

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  woff2: "font/woff2",
};

/** The media type by file extension; undefined for files that are not served. */
function mediaTypeOf(name: string): string | undefined {
  return MEDIA_TYPES[name.split(".").at(-1)!];
}

export async function assetNames(assets: Pick<AssetSource, "list">): Promise<string[]> {
  return (await assets.list()).filter((name) => mediaTypeOf(name) !== undefined);
}

export function asset(
  name: string,
  { assets, siteUrl }: { assets: Pick<AssetSource, "read">; siteUrl: string },
): AppHandler {
  const type = mediaTypeOf(name)!;
  const headers = /^(?:image|font)\//.test(type) ? AN_HOUR : {};
  return publicDocument(type, { siteUrl, headers, build: () => assets.read(name) });
}
