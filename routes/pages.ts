/** @module The pages, that for unknown URLs too: negotiated (RFC 9110 §12.5.1), or markdown at `.md`. */

import { type Locale, SITE } from "../schemas/site_data.ts";
import {
  alternatesOf,
  ARD,
  CONTACT_PAGE,
  isListed,
  type PageAddress,
  pathsIn,
} from "../site/urls.ts";
import type { AppHandler, RouteDeps } from "./env.ts";
import { parameterOf } from "./http/fields.ts";
import { chooseRepresentation, type Representation } from "./http/negotiation.ts";
import { prebuild, prebuildCoded, prebuiltOnce } from "./http/prebuilt.ts";
import { MINUTES_5 } from "./http/public_document.ts";
import { pageSecurityHeaders } from "./http/security_headers.ts";

/** The path of the list of the site's APIs (RFC 9727). */
export const API_CATALOG = "/.well-known/api-catalog";

/** Its media type, without the profile parameter. */
export const API_CATALOG_TYPE = "application/linkset+json";

export const CONTENT_TYPES: Readonly<Record<Representation, string>> = {
  html: "text/html; charset=utf-8",
  markdown: "text/markdown; charset=utf-8",
};

/** Caches must keep a page's representations apart. */
export const NEGOTIATED = { vary: "Accept" };

type PageDeps = Pick<RouteDeps, "site" | "assets" | "config">;

export function page(
  address: PageAddress,
  { pages, ...deps }: PageDeps & { readonly pages: readonly PageAddress[] },
): { negotiated: AppHandler; markdown: AppHandler } {
  const { siteUrl } = deps.config;
  const { name, path, markdownPath } = address;
  const versions = pages.filter((other) => other.name === name);
  const link = linkHeader(siteUrl, isListed(address) ? { ...address, versions } : address.locale);
  function representation(
    name: Representation,
    { plan, ...own }: Record<string, string> & { readonly plan?: string },
  ): AppHandler {
    return prebuiltOnce(async () => {
      const { text, headers } = await represent(address, { ...deps, name, plan });
      return await prebuild(text, { ...headers, ...MINUTES_5, link, ...own });
    });
  }

  const markdown = { ...NEGOTIATED, "content-location": markdownPath };
  /** The contact page can have a plan selected. */
  function html(plan?: string): AppHandler {
    const location = { "content-location": plan === undefined ? path : `${path}?plan=${plan}` };
    return representation("html", { ...NEGOTIATED, ...location, ...(plan && { plan }) });
  }
  return {
    negotiated: negotiated({
      html: name === CONTACT_PAGE ? byPlan(html) : html(),
      markdown: representation("markdown", markdown),
    }),
    // Search engines should show the page, not its source.
    markdown: representation("markdown", { "x-robots-tag": "noindex" }),
  };
}

/** The answer to unknown paths of one language, and to those that end in `.md`. */
export function notFoundPage(
  address: PageAddress,
  deps: PageDeps,
): { negotiated: AppHandler; markdown: AppHandler } {
  const representation = (name: Representation, own = {}): AppHandler =>
    prebuiltOnce(async () => {
      const { text, headers } = await represent(address, { ...deps, name });
      const link = linkHeader(deps.config.siteUrl, address.locale);
      // A page may be published there any time.
      const cached = { "cache-control": "public, max-age=60" };
      return prebuildCoded(text, { status: 404, headers: { ...headers, ...cached, ...own, link } });
    });
  return {
    negotiated: negotiated({
      html: representation("html", NEGOTIATED),
      markdown: representation("markdown", NEGOTIATED),
    }),
    markdown: representation("markdown"),
  };
}

async function represent(
  { file, locale }: PageAddress,
  { site, assets, config: { siteUrl }, name, plan }: PageDeps & {
    readonly name: Representation;
    readonly plan?: string | undefined;
  },
): Promise<{ readonly text: string; readonly headers: Record<string, string> }> {
  const written = await (await site())[name]({ file, plan });
  const text = name === "html" ? await assets.link(written, name) : written;
  const headers = {
    "content-type": CONTENT_TYPES[name],
    ...pageSecurityHeaders(siteUrl),
    "content-language": locale,
    // Four characters a token in European languages.
    ...(name === "markdown" && { "x-markdown-tokens": `${Math.ceil(text.length / 4)}` }),
  };
  return { text, headers };
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

export function negotiated(handlers: Readonly<Record<Representation, AppHandler>>): AppHandler {
  return (c) => handlers[chooseRepresentation(c)](c);
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
