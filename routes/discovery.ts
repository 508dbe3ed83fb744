/**
 * @module What crawlers and agents look for at fixed addresses: llms.txt and llms-full.txt in each
 * language, sitemap.xml, robots.txt; and the assets of the pages.
 *
 * Each answer is built with its first request. An asset is served only when it is in the list that
 * was handed in and its media type is known: no path of a request ever reaches a file system.
 */

import { LOCALES } from "../site/page_path.ts";
import type { Site } from "../site/site.ts";
import { fullTextPath, indexPath } from "../site/words.ts";
import { answerOnce, once, prebuild } from "./http/prebuilt.ts";
import type { AppHandler } from "./http/resource.ts";
import { apiSecurityHeaders, pageSecurityHeaders } from "./http/security_headers.ts";

/** Where the assets are. */
export interface AssetSource {
  /** Their names, such as `site.css`; a name has no slash. */
  list(): Promise<readonly string[]>;
  /** The bytes of one of them. */
  read(name: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** What discovery works with. */
export interface DiscoveryDeps {
  readonly site: Site;
  readonly assets: AssetSource;
  readonly siteUrl: string;
}

const DOCUMENT_CACHING = { "cache-control": "public, max-age=300" };
/** Names carry no hash, so an asset must be asked for again before long. */
const ASSET_CACHING = { "cache-control": "public, max-age=3600" };

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  ico: "image/x-icon",
  woff2: "font/woff2",
  webmanifest: "application/manifest+json",
};

/** Creates the handlers of GET and HEAD, by path. */
export function createDiscovery({ site, assets, siteUrl }: DiscoveryDeps): Record<
  string,
  AppHandler
> {
  function document(contentType: string, text: () => Promise<string>): AppHandler {
    const respond = answerOnce(async () =>
      prebuild(await text(), {
        "content-type": contentType,
        ...DOCUMENT_CACHING,
        ...apiSecurityHeaders(siteUrl),
      })
    );
    return (c) => respond(c.req.raw);
  }

  const plain = "text/plain; charset=utf-8";
  return {
    ...Object.fromEntries(LOCALES.flatMap((locale) => [
      [indexPath(locale), document(plain, () => site.llms(locale))],
      [fullTextPath(locale), document(plain, () => site.llmsFull(locale))],
    ])),
    "/sitemap.xml": document("application/xml; charset=utf-8", () => site.sitemap()),
    "/robots.txt": document(plain, () => site.robots()),
    "/assets/:name": createAssets(assets, siteUrl),
  };
}

function createAssets(assets: AssetSource, siteUrl: string): AppHandler {
  const load = once(async () => {
    const names = await assets.list();
    return new Map(names.flatMap((name) => {
      const type = MEDIA_TYPES[name.split(".").at(-1) ?? ""];
      if (type === undefined) return [];
      const headers = {
        "content-type": type,
        ...ASSET_CACHING,
        ...pageSecurityHeaders(siteUrl),
      };
      return [[name, answerOnce(async () => prebuild(await assets.read(name), headers))]];
    }));
  });
  let known: Awaited<ReturnType<typeof load>> | undefined;
  const find: AppHandler = (c) =>
    known?.get(c.req.param("name") ?? "")?.(c.req.raw) ?? c.notFound();
  return (c, next) =>
    known === undefined
      ? load().then((loaded) => {
        known = loaded;
        return find(c, next);
      })
      : find(c, next);
}
