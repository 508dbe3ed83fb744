/** @module The pages, that for unknown URLs too: negotiated (RFC 9110 §12.5.1), or markdown at `.md`. */

import { type Locale, SITE } from "../schemas/site_data.ts";
import {
  alternatesOf,
  ARD,
  CONTACT_PAGE,
  isListed,
  NOT_FOUND_PAGE,
  type PageAddress,
  pathsIn,
} from "../site/urls.ts";
import type { AppHandler, RouteDeps } from "./env.ts";
import { parameterOf } from "./http/fields.ts";
import { chooseRepresentation } from "./http/negotiation.ts";
import { prebuild, prebuildCoded, prebuiltOnce } from "./http/prebuilt.ts";
import { MINUTES_5 } from "./http/public_document.ts";
import { pageSecurityHeaders } from "./http/security_headers.ts";

/** The path of the list of the site's APIs (RFC 9727). */
export const API_CATALOG = "/.well-known/api-catalog";

/** Its media type, without the profile parameter. */
export const API_CATALOG_TYPE = "application/linkset+json";

export const CONTENT_TYPES = {
  html: "text/html; charset=utf-8",
  markdown: "text/markdown; charset=utf-8",
} as const;

/** Caches must keep a page's representations apart. */
export const NEGOTIATED = { vary: "Accept" };

type Fields = Readonly<Record<string, string>>;

/** The handlers of a page. Those of the page for unknown paths answer 404, at any path. */
export function page(
  address: PageAddress,
  { site, assets, config: { siteUrl }, pages }: Pick<RouteDeps, "site" | "assets" | "config"> & {
    readonly pages: readonly PageAddress[];
  },
): { negotiated: AppHandler; markdown: AppHandler } {
  const { file, name, locale, path, markdownPath } = address;
  const isUnknown = name === NOT_FOUND_PAGE;
  function representation(type: "html" | "markdown", own: Fields, plan?: string): AppHandler {
    return prebuiltOnce(async () => {
      const written = await (await site())[type]({ file, plan });
      const text = type === "html" ? await assets.link(written, type) : written;
      const versions = pages.filter((other) => other.name === name);
      const headers = {
        "content-type": CONTENT_TYPES[type],
        ...pageSecurityHeaders(siteUrl),
        ...MINUTES_5,
        "content-language": locale,
        link: linkHeader(siteUrl, isListed(address) ? { ...address, versions } : locale),
        // Four characters a token in European languages.
        ...(type === "markdown" && { "x-markdown-tokens": `${Math.ceil(text.length / 4)}` }),
        ...own,
      };
      if (!isUnknown) return await prebuild(text, headers);
      // A page may be published there any time.
      const cached = { "cache-control": "public, max-age=60" };
      return prebuildCoded(text, { status: 404, headers: { ...headers, ...cached } });
    });
  }

  const at = (path: string) => ({ ...NEGOTIATED, ...(!isUnknown && { "content-location": path }) });
  /** The contact page can have a plan selected. */
  const html = (plan?: string) =>
    representation("html", at(plan === undefined ? path : `${path}?plan=${plan}`), plan);
  const chosen = {
    html: name === CONTACT_PAGE ? byPlan(html) : html(),
    markdown: representation("markdown", at(markdownPath)),
  };
  return {
    negotiated: (c) => chosen[chooseRepresentation(c, ["markdown"])](c),
    // Search engines should show the page, not its source.
    markdown: representation("markdown", isUnknown ? {} : { "x-robots-tag": "noindex" }),
  };
}

/** Selects by `?plan=`. Any other value gets the page without a plan, so that answers are few. */
function byPlan(handlerOf: (plan?: string) => AppHandler): AppHandler {
  const without = handlerOf();
  const handlers = SITE.plans.map((plan) => ({ plan, handler: handlerOf(plan) }));
  return (c) => {
    const wanted = parameterOf(c.req.raw, "plan");
    return (handlers.find(({ plan }) => plan === wanted)?.handler ?? without)(c);
  };
}

/**
 * The `Link` field (RFC 8288): the page, its other representations and languages, the index for agents
 * and the API's descriptions. Of what is not listed only the language matters.
 */
function linkHeader(
  siteUrl: string,
  page: Locale | PageAddress & { readonly versions: readonly PageAddress[] },
): string {
  const locale = typeof page === "string" ? page : page.locale;
  const links: (readonly [path: string, parameters: string])[] = [
    ...typeof page === "string" ? [] : [
      [page.path, 'rel="canonical"'],
      [page.markdownPath, 'rel="alternate"; type="text/markdown"'],
      ...alternatesOf(page.versions).map(([language, path]) =>
        [path, `rel="alternate"; hreflang="${language}"; type="text/html"`] as const
      ),
    ] as const,
    [pathsIn(locale).llms, 'rel="describedby"; type="text/plain"'],
    ["/openapi.json", 'rel="service-desc"; type="application/json"'],
    [pathsIn(locale).docs, 'rel="service-doc"; type="text/html"'],
    [API_CATALOG, `rel="api-catalog"; type="${API_CATALOG_TYPE}"`],
    [ARD, 'rel="ard"; type="application/json"'],
  ];
  return links.map(([path, parameters]) => `<${siteUrl}${path}>; ${parameters}`).join(", ");
}
