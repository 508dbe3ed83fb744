/**
 * @module The pages: every request that no API or discovery route has matched comes here.
 *
 * A page's URL negotiates HTML or markdown (RFC 9110 §12.5.1); its `.md` sibling is markdown
 * whatever `Accept` says. An unknown path is a real 404 in the representation and language asked
 * for, and repeats nothing of the request. What a page says is the business of `site/`.
 */

import type { Context } from "@hono/hono";
import type { Page } from "../site/page.ts";
import { type Locale, localeOfPath, LOCALES } from "../site/page_path.ts";
import type { Site } from "../site/site.ts";
import type { ApiErrors } from "./api_error.ts";
import { chooseRepresentation, type Representation } from "./http/negotiation.ts";
import {
  answer,
  answerOnce,
  once,
  prebuild,
  prebuildCoded,
  prebuildPlain,
  type Prebuilt,
} from "./http/prebuilt.ts";
import { allowOf, type AppEnv } from "./http/resource.ts";
import { pageSecurityHeaders } from "./http/security_headers.ts";
import { linkHeader } from "./page_links.ts";

/** What the pages work with. */
export interface PagesDeps {
  readonly site: Site;
  readonly siteUrl: string;
  readonly errors: ApiErrors;
}

type Respond = (request: Request) => Response | Promise<Response>;

const CONTENT_TYPES: Readonly<Record<Representation, string>> = {
  html: "text/html; charset=utf-8",
  markdown: "text/markdown; charset=utf-8",
};

const PAGE_CACHING = { "cache-control": "public, max-age=300" };
/** Shorter than a page's: the address may be published any time. */
const NOT_FOUND_CACHING = { "cache-control": "public, max-age=60" };

/** A negotiable answer differs by `Accept`, and a cache must know. */
const NEGOTIATED = { vary: "Accept" };

/** Creates the handler for everything that is not API or discovery; install as `app.notFound`. */
export function createPages(
  deps: PagesDeps,
): (c: Context<AppEnv>) => Response | Promise<Response> {
  const notFound = createNotFound(deps);
  const load = once(async () => routesOf(await deps.site.pages(), deps));
  let routes: ReadonlyMap<string, Respond> | undefined;

  function dispatch(c: Context<AppEnv>, known: ReadonlyMap<string, Respond>) {
    return (known.get(c.req.path) ?? notFound(c.req.path))(c.req.raw);
  }

  // Once the table is there, no promise stands between a request and its answer.
  return (c) =>
    routes === undefined
      ? load().then((loaded) => dispatch(c, routes = loaded))
      : dispatch(c, routes);
}

/** Every URL of every page, its spelling with a trailing slash included. */
function routesOf(pages: readonly Page[], deps: PagesDeps): ReadonlyMap<string, Respond> {
  const routes = new Map<string, Respond>();
  const allow = allowOf({ get: () => undefined });
  const refusal = deps.errors.prebuild("method_not_allowed", { headers: { allow } });
  const security = pageSecurityHeaders(deps.siteUrl);
  const options = { status: 204, headers: { ...security, allow } };

  function withMethods(get: Respond): Respond {
    return (request) => {
      switch (request.method) {
        case "GET":
        case "HEAD": // Hono drops the body of what the handler answers
          return get(request);
        case "OPTIONS":
          return new Response(null, options);
        default:
          return answer(request, refusal);
      }
    };
  }

  const versionsOf = Map.groupBy(pages, ({ name }) => name);
  for (const page of pages) {
    const { path, markdownPath, markdownAliases } = page;
    const versions = versionsOf.get(page.name) ?? [];
    const { html, markdown, sibling } = representationsOf(page, { ...deps, versions });
    routes.set(
      path,
      withMethods((request) =>
        chooseRepresentation(request.headers.get("accept")) === "html"
          ? html(request)
          : markdown(request)
      ),
    );
    for (const url of [markdownPath, ...markdownAliases]) routes.set(url, withMethods(sibling));
    if (path !== "/") {
      const moved = prebuildPlain("", 308, { ...security, ...PAGE_CACHING, location: path });
      routes.set(`${path}/`, (request) => answer(request, moved));
    }
  }
  return routes;
}

/** The answers of a page, each built with its first request. */
function representationsOf(
  page: Page,
  { site, siteUrl, versions }: PagesDeps & { readonly versions: readonly Page[] },
): Readonly<Record<Representation | "sibling", Respond>> {
  const common = {
    ...pageSecurityHeaders(siteUrl),
    ...PAGE_CACHING,
    "content-language": page.locale,
    link: linkHeader(siteUrl, { ...page, versions }),
  };
  const html = { "content-type": CONTENT_TYPES.html, ...common };

  async function markdown(headers: Readonly<Record<string, string>>): Promise<Prebuilt> {
    const text = await site.markdown(page);
    return await prebuild(text, {
      "content-type": CONTENT_TYPES.markdown,
      ...common,
      "x-markdown-tokens": String(tokensOf(text)),
      ...headers,
    });
  }

  return {
    html: answerOnce(async () =>
      prebuild(await site.html(page), { ...html, ...NEGOTIATED, "content-location": page.path })
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
function createNotFound({ site, siteUrl }: PagesDeps): (path: string) => Respond {
  function build(
    locale: Locale,
    { representation, negotiated }: {
      readonly representation: Representation;
      readonly negotiated: boolean;
    },
  ): Respond {
    return answerOnce(async () =>
      prebuildCoded((await site.notFound(locale))[representation], 404, {
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
    const page: Respond = (request) =>
      chooseRepresentation(request.headers.get("accept")) === "html"
        ? html(request)
        : markdown(request);
    return [locale, { page, sibling }] as const;
  }));
  return (path) => answers.get(localeOfPath(path))![path.endsWith(".md") ? "sibling" : "page"];
}
