/**
 * @module The pages, and the 404 for unknown paths.
 *
 * A page's URL negotiates HTML or markdown (RFC 9110 §12.5.1); its `.md` sibling is markdown
 * whatever `Accept` says. An unknown path is a real 404 in the representation and language asked
 * for, and repeats nothing of the request. `site/` makes the texts.
 */

import {
  contactPaths,
  type Locale,
  localeOfPath,
  LOCALES,
  type PageAddress,
} from "../site/page_path.ts";
import type { Site } from "../site/site.ts";
import type { AppHandler } from "./env.ts";
import { chooseRepresentation, type Representation } from "./http/negotiation.ts";
import { prebuild, prebuildCoded, type Prebuilt, prebuiltOnce } from "./http/prebuilt.ts";
import { pageSecurityHeaders } from "./http/security_headers.ts";
import { linkHeader } from "./page_links.ts";

/** What the pages work with. */
export interface PagesDeps {
  /** Loaded with the first page. */
  readonly site: () => Promise<Site>;
  readonly siteUrl: string;
}

const CONTENT_TYPES: Readonly<Record<Representation, string>> = {
  html: "text/html; charset=utf-8",
  markdown: "text/markdown; charset=utf-8",
};

const PAGE_CACHING = { "cache-control": "public, max-age=300" };
/** Shorter than a page's: a page may be published there any time. */
const NOT_FOUND_CACHING = { "cache-control": "public, max-age=60" };

/** A negotiable answer differs by `Accept`, and a cache must know. */
const NEGOTIATED = { vary: "Accept" };

/** The handlers of one page. */
export interface PageHandlers {
  /** HTML or markdown, by `Accept`. */
  readonly negotiated: AppHandler;
  /** Markdown, whatever `Accept` says. */
  readonly markdown: AppHandler;
}

/**
 * Creates the handlers of a page, each representation built with its first request.
 *
 * @param options.versions the page in every language, itself included
 */
export function page(
  address: PageAddress,
  { site, siteUrl, versions }: PagesDeps & { readonly versions: readonly PageAddress[] },
): PageHandlers {
  const common = {
    ...pageSecurityHeaders(siteUrl),
    ...PAGE_CACHING,
    "content-language": address.locale,
    link: linkHeader(siteUrl, { ...address, versions }),
  };

  async function html(): Promise<Prebuilt> {
    return await prebuild(await (await site()).html(address), {
      "content-type": CONTENT_TYPES.html,
      ...common,
      ...NEGOTIATED,
      "content-location": address.path,
    });
  }

  async function markdown(headers: Readonly<Record<string, string>>): Promise<Prebuilt> {
    const text = await (await site()).markdown(address);
    return await prebuild(text, {
      "content-type": CONTENT_TYPES.markdown,
      ...common,
      "x-markdown-tokens": String(tokensOf(text)),
      ...headers,
    });
  }

  const location = { "content-location": address.markdownPath };
  return {
    negotiated: negotiated({
      html: prebuiltOnce(html),
      markdown: prebuiltOnce(() => markdown({ ...NEGOTIATED, ...location })),
    }),
    // The page is what search engines should show, not its source.
    markdown: prebuiltOnce(() => markdown({ "x-robots-tag": "noindex" })),
  };
}

/** The paths of pages: their answers have a page's headers, and their errors are pages. */
export function pagePathsOf(addresses: readonly PageAddress[]): ReadonlySet<string> {
  return new Set([
    ...addresses.flatMap((address) => [
      address.path,
      address.markdownPath,
      ...address.markdownAliases,
    ]),
    ...LOCALES.flatMap((locale) => Object.values(contactPaths(locale))),
  ]);
}

/** From each page's path with a trailing slash to the page. */
export function redirectsOf(addresses: readonly PageAddress[]): ReadonlyMap<string, string> {
  const paths = addresses.map(({ path }) => path).filter((path) => path !== "/");
  return new Map(paths.map((path) => [`${path}/`, path]));
}

/** Redirects to the canonical path (RFC 9110 §15.4.9). */
export function redirectTo(path: string, siteUrl: string): Response {
  const headers = { ...pageSecurityHeaders(siteUrl), ...PAGE_CACHING, location: path };
  return new Response(null, { status: 308, headers });
}

/** Answers in the representation that `Accept` asks for. */
function negotiated(
  { html, markdown }: Readonly<Record<Representation, AppHandler>>,
): AppHandler {
  return (c) => (chooseRepresentation(c) === "html" ? html : markdown)(c);
}

/** Roughly the tokens that a model counts: four characters each in European languages. */
function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Creates the answers for unknown paths: one a language and representation, whatever the path. */
export function noSuchPage({ site, siteUrl }: PagesDeps): AppHandler {
  function build(
    locale: Locale,
    { representation, headers = {} }: {
      readonly representation: Representation;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ): AppHandler {
    return prebuiltOnce(async () =>
      prebuildCoded((await (await site()).notFound(locale))[representation], 404, {
        "content-type": CONTENT_TYPES[representation],
        ...pageSecurityHeaders(siteUrl),
        ...NOT_FOUND_CACHING,
        ...headers,
        "content-language": locale,
        link: linkHeader(siteUrl, { locale }),
      })
    );
  }

  const answers = new Map(LOCALES.map((locale) => {
    const html = build(locale, { representation: "html", headers: NEGOTIATED });
    const markdown = build(locale, { representation: "markdown", headers: NEGOTIATED });
    const sibling = build(locale, { representation: "markdown" });
    return [locale, { page: negotiated({ html, markdown }), sibling }] as const;
  }));
  return (c) => {
    const { page, sibling } = answers.get(localeOfPath(c.req.path))!;
    return (c.req.path.endsWith(".md") ? sibling : page)(c);
  };
}
