/**
 * @module No link leads nowhere: from the two home pages and everything that is found at a fixed
 * address, every link in every representation is followed within the site, and what it promises of
 * its target is held against what the target answers.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { elementsOf } from "../support/html.ts";
import { knownPaths } from "../support/known_paths.ts";
import { type Link, linksIn, linksOfField } from "../support/links_in.ts";
import { SITE_URL, type TestApp, withApp } from "../support/test_app.ts";

/** An answer that has been looked at. */
interface Visited {
  readonly path: string;
  readonly status: number;
  readonly mediaType: string;
  readonly language: string | null;
  readonly ids: ReadonlySet<string>;
  /** The page that a markdown answer is the markdown of. */
  readonly canonical: string | undefined;
  readonly links: readonly Link[];
}

const ANY = "*/*";

/** The media type without its parameters. */
function essence(type: string): string {
  return type.split(";", 1)[0]!.trim();
}

async function visit(
  { request }: TestApp,
  { path, accept }: { readonly path: string; readonly accept: string },
): Promise<Visited> {
  const response = await request(path, { headers: { accept } });
  const mediaType = essence(response.headers.get("content-type") ?? "");
  const text = await response.text();
  const field = response.headers.get("link") ?? "";
  const elements = mediaType === "text/html" ? elementsOf(text) : [];
  return {
    path,
    status: response.status,
    mediaType,
    language: response.headers.get("content-language"),
    ids: new Set(elements.flatMap(({ attributes: { id } }) => id === undefined ? [] : [id])),
    canonical: /<([^>]+)>; rel="canonical"/.exec(field)?.[1],
    links: [...linksOfField(field), ...linksIn(text, { mediaType, siteUrl: SITE_URL })],
  };
}

/** Where a link leads, from an answer. */
function targetOf({ href }: Link, from: Visited): URL {
  return new URL(href, SITE_URL + from.path);
}

interface Crawl {
  readonly visits: ReadonlyMap<string, Visited>;
  /** The answer that a link gets when it is asked for with the type that it promises. */
  find(url: URL, type?: string): Visited | undefined;
}

async function crawl(app: TestApp, starts: readonly string[]): Promise<Crawl> {
  const visits = new Map<string, Visited>();
  const waiting = starts.map((path) => ({ path, accept: ANY }));
  const keyOf = (path: string, accept: string) => `${path} ${accept}`;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const key = keyOf(next.path, next.accept);
    if (visits.has(key)) continue;
    const visited = await visit(app, next);
    visits.set(key, visited);
    if (visited.status !== 200) continue;
    for (const link of visited.links) {
      const { origin, pathname, search } = targetOf(link, visited);
      if (origin !== SITE_URL) continue;
      waiting.push({ path: pathname + search, accept: link.type ?? ANY });
    }
    if (visited.mediaType === "text/html") {
      waiting.push({ path: next.path, accept: "text/markdown" });
    }
  }
  return {
    visits,
    find: ({ pathname, search }, type = ANY) => visits.get(keyOf(pathname + search, type)),
  };
}

/** What is wrong with a link, if anything. */
function faultOf(link: Link, { from, crawled }: { from: Visited; crawled: Crawl }) {
  const url = targetOf(link, from);
  if (url.origin !== SITE_URL) {
    return /^(?:https|mailto):$/.test(url.protocol) ? undefined : "leads elsewhere without TLS";
  }
  // Whoever keeps a text has to find its targets without knowing where it came from.
  if (/^text\/(?:markdown|plain)$/.test(from.mediaType) && !URL.canParse(link.href)) {
    return "is not absolute";
  }
  const target = crawled.find(url, link.type);
  if (target === undefined) return "was not followed";
  if (target.status === 405 && link.mention) return undefined; // POST /api/lead
  if (target.status !== 200) return `answers ${target.status}`;
  if (link.type !== undefined && essence(link.type) !== target.mediaType) {
    return `promises ${link.type} and is ${target.mediaType}`;
  }
  if (link.language !== undefined && link.language !== "x-default") {
    if (link.language !== target.language) return `promises ${link.language}`;
  }
  if (url.hash === "") return undefined;
  const page = target.mediaType === "text/html" || target.canonical === undefined
    ? target
    : crawled.find(new URL(target.canonical));
  return page?.ids.has(decodeURIComponent(url.hash.slice(1))) ? undefined : "has a dead fragment";
}

Deno.test("no link leads nowhere, in any representation of anything", () =>
  withApp(async (app) => {
    const fixed = (await knownPaths()).filter((path) => path !== "/api/lead");
    const crawled = await crawl(app, ["/", "/de", ...fixed]);
    const all = [...crawled.visits.values()];
    const faults = all.filter(({ status }) => status === 200).flatMap((from) =>
      from.links.flatMap((link) => {
        const fault = faultOf(link, { from, crawled });
        return fault === undefined
          ? []
          : [`${from.path} (${from.mediaType}): ${link.href} ${fault}`];
      })
    );
    deepEqual([...new Set(faults)], []);
    for (const path of fixed) equal(crawled.find(new URL(SITE_URL + path))?.status, 200, path);
    // That nothing was looked at would be no fault either.
    const types = new Set(all.map(({ mediaType }) => mediaType));
    for (const type of ["text/html", "text/markdown", "text/plain", "text/css", "image/svg+xml"]) {
      ok(types.has(type), type);
    }
    ok(all.flatMap(({ links }) => links).length > 1_000, String(all.length));
  }));

Deno.test("every page of the sitemap is reached from a home page by links alone", () =>
  withApp(async (app) => {
    const { find } = await crawl(app, ["/", "/de"]);
    const { links } = await visit(app, { path: "/sitemap.xml", accept: ANY });
    ok(links.length >= 10);
    for (const { href } of links) equal(find(new URL(href))?.status, 200, href);
  }));

Deno.test("the error pages lead onward by links that work", () =>
  withApp(async (app) => {
    for (const path of ["/nope", "/de/nope", "/nope.md", "/de/nope.md"]) {
      const from = await visit(app, { path, accept: ANY });
      equal(from.status, 404);
      const onward = from.links.filter(({ mention }) => !mention);
      ok(onward.length >= 4, path);
      const crawled = await crawl(
        app,
        onward.map((link) => targetOf(link, from).pathname),
      );
      for (const link of onward) {
        const { pathname, hash } = targetOf(link, from);
        if (pathname === path && hash !== "") ok(from.ids.has(hash.slice(1)), link.href);
        else equal(crawled.find(targetOf(link, from))?.status, 200, `${path}: ${link.href}`);
      }
    }
  }));
