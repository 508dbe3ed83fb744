/**
 * @module The pages: every request that no API or discovery route has matched comes here.
 *
 * A page's URL negotiates HTML or markdown (RFC 9110 §12.5.1); its `.md` sibling is markdown
 * whatever `Accept` says. An unknown path is a real 404 in the representation and language asked
 * for, and repeats nothing of the request. What a page says is the business of `site/`.
 */

import type { Page } from "../site/page.ts";
import { type Locale, localeOfPath, LOCALES } from "../site/page_path.ts";
import type { Site } from "../site/site.ts";
import type { ApiErrors } from "./api_error.ts";
import { lazyTable } from "./http/lazy_table.ts";
import { chooseRepresentation, type Representation } from "./http/negotiation.ts";
import {
  answer,
  answerOnce,
  prebuild,
  prebuildCoded,
  prebuildPlain,
  type Prebuilt,
} from "./http/prebuilt.ts";
import { type Handler, resource } from "./http/resource.ts";
import { pageSecurityHeaders } from "./http/security_headers.ts";
import { linkHeader } from "./page_links.ts";

/** What the pages work with. */
export interface PagesDeps {
  /** Loaded with the first page. */
  readonly site: () => Promise<Site>;
  readonly siteUrl: string;
  readonly errors: ApiErrors;
}

const CONTENT_TYPES: Readonly<Record<Representation, string>> = {
  html: "text/html; charset=utf-8",
  markdown: "text/markdown; charset=utf-8",
};

const PAGE_CACHING = { "cache-control": "public, max-age=300" };
/** Shorter than a page's: the address may be published any time. */
const NOT_FOUND_CACHING = { "cache-control": "public, max-age=60" };

/** A negotiable answer differs by `Accept`, and a cache must know. */
const NEGOTIATED = { vary: "Accept" };

/** Creates the handler for everything that is not API or discovery. */
export function createPages(deps: PagesDeps): Handler {
  return lazyTable(async () => routesOf(await (await deps.site()).pages(), deps), {
    otherwise: createNotFound(deps),
  });
}

/** Every URL of every page, its spelling with a trailing slash included. */
function routesOf(pages: readonly Page[], deps: PagesDeps): ReadonlyMap<string, Handler> {
  const routes = new Map<string, Handler>();
  const security = pageSecurityHeaders(deps.siteUrl);
  const shared = { methodNotAllowed: deps.errors.methodNotAllowed, headers: security };

  const versionsOf = Map.groupBy(pages, ({ name }) => name);
  for (const page of pages) {
    const { path, markdownPath, markdownAliases } = page;
    const versions = versionsOf.get(page.name) ?? [];
    const { html, markdown, sibling } = representationsOf(page, { ...deps, versions });
    routes.set(path, resource({ get: negotiated({ html, markdown }) }, shared));
    for (const url of [markdownPath, ...markdownAliases]) {
      routes.set(url, resource({ get: sibling }, shared));
    }
    if (path !== "/") {
      const moved = prebuildPlain("", 308, { ...security, ...PAGE_CACHING, location: path });
      routes.set(`${path}/`, (request) => answer(request, moved));
    }
  }
  return routes;
}

/** Answers in the representation that `Accept` asks for. */
function negotiated({ html, markdown }: Readonly<Record<Representation, Handler>>): Handler {
  return (request, context) =>
    chooseRepresentation(request.headers.get("accept")) === "html"
      ? html(request, context)
      : markdown(request, context);
}

/** The answers of a page, each built with its first request. */
function representationsOf(
  page: Page,
  { site, siteUrl, versions }: PagesDeps & { readonly versions: readonly Page[] },
): Readonly<Record<Representation | "sibling", Handler>> {
  const common = {
    ...pageSecurityHeaders(siteUrl),
    ...PAGE_CACHING,
    "content-language": page.locale,
    link: linkHeader(siteUrl, { ...page, versions }),
  };
  const html = { "content-type": CONTENT_TYPES.html, ...common };

  async function markdown(headers: Readonly<Record<string, string>>): Promise<Prebuilt> {
    const text = await (await site()).markdown(page);
    return await prebuild(text, {
      "content-type": CONTENT_TYPES.markdown,
      ...common,
      "x-markdown-tokens": String(tokensOf(text)),
      ...headers,
    });
  }

  return {
    html: answerOnce(async () =>
      prebuild(await (await site()).html(page), {
        ...html,
        ...NEGOTIATED,
        "content-location": page.path,
      })
    ),
    markdown: answerOnce(() => markdown({ ...NEGOTIATED, "content-location": page.markdownPath })),
    // The page is what search engines should show, not its source.
    sibling: answerOnce(() => markdown({ "x-robots-tag": "noindex" })),
  };
}

/** How many tokens a model will count, about: four characters are one in European languages. */
function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

/** The answers for unknown paths: one a language and representation, whatever the path. */
function createNotFound({ site, siteUrl }: PagesDeps): Handler {
  function build(
    locale: Locale,
    { representation, negotiated }: {
      readonly representation: Representation;
      readonly negotiated: boolean;
    },
  ): Handler {
    return answerOnce(async () =>
      prebuildCoded((await (await site()).notFound(locale))[representation], 404, {
        "content-type": CONTENT_TYPES[representation],
        ...pageSecurityHeaders(siteUrl),
        ...NOT_FOUND_CACHING,
        ...(negotiated ? NEGOTIATED : {}),
        "content-language": locale,
        link: linkHeader(siteUrl, { locale }),
      })
    );
  }

  const answers = new Map(LOCALES.map((locale) => {
    const html = build(locale, { representation: "html", negotiated: true });
    const markdown = build(locale, { representation: "markdown", negotiated: true });
    const sibling = build(locale, { representation: "markdown", negotiated: false });
    return [locale, { page: negotiated({ html, markdown }), sibling }] as const;
  }));
  return (request, context) => {
    const { page, sibling } = answers.get(localeOfPath(context.path))!;
    return (context.path.endsWith(".md") ? sibling : page)(request, context);
  };
}
