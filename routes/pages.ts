/** @module The pages, negotiated (RFC 9110 §12.5.1), and their `.md` siblings, always markdown. */

import { SITE } from "../schemas/site_data.ts";
import { alternatesOf, ARD, CONTACT_PAGE, type PageAddress, pathsIn } from "../site/urls.ts";
import type { AppHandler, RouteDeps } from "./env.ts";
import { parameterOf } from "./http/fields.ts";
import { chooseRepresentation, type Representation } from "./http/negotiation.ts";
import { prebuild, prebuiltOnce } from "./http/prebuilt.ts";
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

export function page(
  address: PageAddress,
  { site, assets, config: { siteUrl }, pages }: Pick<RouteDeps, "site" | "assets" | "config"> & {
    readonly pages: readonly PageAddress[];
  },
): { negotiated: AppHandler; markdown: AppHandler } {
  const versions = pages.filter(({ name }) => name === address.name);
  function representation(
    name: Representation,
    { headers, plan }: { headers: Record<string, string>; plan?: string | undefined },
  ): AppHandler {
    return prebuiltOnce(async () => {
      const written = await (await site())[name]({ ...address, plan });
      const text = name === "html" ? await assets.link(written, name) : written;
      return await prebuild(text, {
        "content-type": CONTENT_TYPES[name],
        ...pageSecurityHeaders(siteUrl),
        ...MINUTES_5,
        "content-language": address.locale,
        link: linkHeader(siteUrl, { ...address, versions }),
        // Four characters a token in European languages.
        ...(name === "markdown" ? { "x-markdown-tokens": `${Math.ceil(text.length / 4)}` } : {}),
        ...headers,
      });
    });
  }

  const { name, path, markdownPath } = address;
  const markdown = { ...NEGOTIATED, "content-location": markdownPath };
  /** The contact page can have a plan selected. */
  function html(plan?: string): AppHandler {
    const location = plan === undefined ? path : `${path}?plan=${plan}`;
    const headers = { ...NEGOTIATED, "content-location": location };
    return representation("html", { headers, plan });
  }
  return {
    negotiated: negotiated({
      html: name === CONTACT_PAGE ? byPlan(html) : html(),
      markdown: representation("markdown", { headers: markdown }),
    }),
    // Search engines should show the page, not its source.
    markdown: representation("markdown", { headers: { "x-robots-tag": "noindex" } }),
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

export function negotiated(handlers: Readonly<Record<Representation, AppHandler>>): AppHandler {
  return (c) => handlers[chooseRepresentation(c)](c);
}

/**
 * The `Link` field (RFC 8288): the page, its other representations and languages, the index for agents
 * and the API's descriptions. For an error only `locale` is known.
 */
export function linkHeader(
  siteUrl: string,
  { locale, path, markdownPath, versions = [] }:
    & Pick<PageAddress, "locale">
    & Partial<PageAddress & { readonly versions: readonly PageAddress[] }>,
): string {
  const links: (readonly [path: string | undefined, parameters: string])[] = [
    [path, 'rel="canonical"'],
    [markdownPath, 'rel="alternate"; type="text/markdown"'],
    ...alternatesOf(versions).map(([language, path]) =>
      [path, `rel="alternate"; hreflang="${language}"; type="text/html"`] as const
    ),
    [pathsIn(locale).llms, 'rel="describedby"; type="text/plain"'],
    ["/openapi.json", 'rel="service-desc"; type="application/json"'],
    [pathsIn(locale).docs, 'rel="service-doc"; type="text/html"'],
    [API_CATALOG, `rel="api-catalog"; type="${API_CATALOG_TYPE}"`],
    [ARD, 'rel="ard"; type="application/json"'],
  ];
  return links.filter(([path]) => path !== undefined)
    .map(([path, parameters]) => `<${siteUrl}${path}>; ${parameters}`)
    .join(", ");
}
