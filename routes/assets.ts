/**
 * @module /assets/:name: stylesheet, scripts and images of the pages, each built with its first
 * request. An asset is served only when it is in the list that was handed in and its media type is
 * known: no path of a request ever reaches a file system.
 */

import { lazyTable } from "./http/lazy_table.ts";
import { answerOnce, prebuild } from "./http/prebuilt.ts";
import type { Handler } from "./http/resource.ts";
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
  ts: "text/typescript; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
};

/** Below this path lie the assets. */
export const ASSETS = "/assets/";

/**
 * Creates the handler of GET for all that is below {@link ASSETS}.
 *
 * @param options.notFound answers for a name that is not in the list
 */
export function createAssets(
  assets: AssetSource,
  { siteUrl, notFound }: { readonly siteUrl: string; readonly notFound: Handler },
): Handler {
  function handlerOf(name: string): [string, Handler][] {
    const type = MEDIA_TYPES[name.split(".").at(-1) ?? ""];
    if (type === undefined) return [];
    const headers = {
      "content-type": type,
      ...(type.startsWith("text/") ? MINUTES_5 : AN_HOUR),
      ...apiSecurityHeaders(siteUrl),
    };
    return [[ASSETS + name, answerOnce(async () => prebuild(await assets.read(name), headers))]];
  }

  return lazyTable(async () => new Map((await assets.list()).flatMap(handlerOf)), {
    otherwise: notFound,
  });
}
