/**
 * @module A route for each asset, without a hash in its path: a request's path never reaches the file
 * system, and an unknown hash costs no memory.
 */

import { getMimeType } from "@hono/hono/utils/mime";
import { Assets, type AssetSource } from "../site/assets.ts";
import type { AppHandler } from "./env.ts";
import { pathOfUrl } from "./http/host.ts";
import { publicDocument } from "./http/public_document.ts";

const FOR_GOOD = { "cache-control": "public, max-age=31536000, immutable" };

export async function readAssets({ list, read }: AssetSource): Promise<Assets> {
  return new Assets((await list()).filter((name) => getMimeType(name)), read);
}

export function pathsOfAsset(name: string): string[] {
  // Browsers and readers of feeds ask for this path, whatever a page says.
  return [`/assets/${name}`, ...name === "favicon.ico" ? ["/favicon.ico"] : []];
}

/**
 * Caches keep the present content under the name with its hash for good. Under the plain name, or with
 * the hash of another version, whose page a cache still has, it is the present content for minutes.
 */
export function asset(
  name: string,
  { assets, siteUrl }: { readonly assets: Assets; readonly siteUrl: string },
): AppHandler {
  const build = async () => (await assets.get(name)).content;
  const type = getMimeType(name)!;
  const forMinutes = publicDocument(type, { siteUrl, build });
  const forGood = publicDocument(type, { siteUrl, build, headers: FOR_GOOD });
  return async (c) => {
    const { hashed } = await assets.get(name);
    return (pathOfUrl(c.req.url) === `/assets/${hashed}` ? forGood : forMinutes)(c);
  };
}
