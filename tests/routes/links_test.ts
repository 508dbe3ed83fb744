/** @module No broken links: follows each in every representation, and compares type and language. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { parseConfig } from "../../config/config.ts";
import { knownPaths } from "../../cli/app_without_leads.ts";
import { LOCALES } from "../../schemas/site_data.ts";
import { localePrefix, pathsIn } from "../../site/urls.ts";
import { appWithoutLeads } from "../support/app_without_leads.ts";
import { elementsOf, type HtmlElement } from "../support/html.ts";
import { SITE_URL } from "../support/test_app.ts";

const { request } = await appWithoutLeads();

interface Link {
  readonly href: string;
  readonly type?: string | undefined;
  /** `hreflang` */
  readonly language?: string | undefined;
}

function linksIn(text: string, mediaType: string): Link[] {
  if (mediaType === "text/html") return elementsOf(text).flatMap(linksOfElement);
  if (/[/+]json$/.test(mediaType) && mediaType !== "application/json") {
    return linksOfJson(JSON.parse(text));
  }
  if (mediaType === "text/css") {
    return [...text.matchAll(/url\("([^"]+)/g)].map(([, href]) => ({ href: href! }));
  }
  // llms.txt is markdown, too.
  const isMarkdown = /^text\/(?:markdown|plain)$/.test(mediaType);
  const unquoted = text.replaceAll("&quot;", '"'); // a feed contains HTML, escaped
  return [...isMarkdown ? markdownLinks(text) : [], ...addresses(unquoted)];
}

function linksOfField(value: string): Link[] {
  return [...value.matchAll(/<([^>]*)>((?:\s*;\s*[\w*-]+=(?:"[^"]*"|[^\s",;]+))*)/g)]
    .map(([, href = "", rest = ""]) => ({
      href,
      type: /;\s*type="?([^";]+)/.exec(rest)?.[1],
      language: /;\s*hreflang="?([^";]+)/.exec(rest)?.[1],
    }));
}

function linksOfElement({ name, attributes, text }: HtmlElement): Link[] {
  const { href, src, action, type, hreflang, content, property } = attributes;
  if (name === "script" && type === "application/ld+json") return linksOfJson(JSON.parse(text));
  const shared = name === "meta" && /^og:(?:image|url)$/.test(property ?? "") ? content : undefined;
  const hints = name === "link" || name === "a" ? { type, language: hreflang } : {};
  const targets = [href, src, action, shared].filter((target) => target !== undefined);
  return targets.map((target) => ({ href: target, ...hints }));
}

/** Addresses and targets with their types, except `@id` and `@context` of JSON-LD, which only name things. */
function linksOfJson(value: unknown): Link[] {
  if (typeof value === "string") return /^https?:/.test(value) ? [{ href: value }] : [];
  if (typeof value !== "object" || value === null) return [];
  const { href, src, start_url, type, ...others } = value as Record<string, string>;
  const target = href ?? src ?? start_url;
  const members = Object.entries(others).filter(([name]) => name !== "@id" && name !== "@context");
  return [
    ...(target === undefined ? [] : [{ href: target, type }]),
    ...members.flatMap(([, member]) => linksOfJson(member)),
  ];
}

function markdownLinks(text: string): Link[] {
  return [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, href]) => ({ href: href! }));
}

function addresses(text: string): Link[] {
  const found = text.matchAll(/https?:\/\/[^\s"'`<>()[\]{}\\|]+/g);
  return [...found].map(([address]) => address.replace(/[.,;:!?]+$/, ""))
    .filter((address) => address.startsWith(SITE_URL)).map((href) => ({ href }));
}

/** An answer; `canonical` is the page that a markdown answer is the markdown of. */
type Visited = Awaited<ReturnType<typeof visit>>;

function essence(type: string): string {
  return type.split(";", 1)[0]!.trim();
}

async function visit(path: string, accept: string) {
  const response = await request(path, { headers: { accept } });
  const mediaType = essence(response.headers.get("content-type") ?? "");
  const text = await response.text();
  const field = response.headers.get("link") ?? "";
  // The fragment of a drawing is a part of it.
  const elements = /^(?:text\/html|image\/svg\+xml)$/.test(mediaType) ? elementsOf(text) : [];
  return {
    path,
    status: response.status,
    mediaType,
    language: response.headers.get("content-language"),
    ids: new Set(elements.map(({ attributes }) => attributes["id"])),
    canonical: /<([^>]+)>; rel="canonical"/.exec(field)?.[1],
    links: [...linksOfField(field), ...linksIn(text, mediaType)],
  };
}

type Crawl = ReadonlyMap<string, Visited>;

async function crawl(starts: readonly string[], known: Crawl = new Map()): Promise<Crawl> {
  const visits = new Map<string, Visited>();
  const waiting = starts.map((path) => ({ path, accept: "*/*" }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { path, accept } = next;
    if (visits.has(`${path} ${accept}`)) continue;
    const visited = known.get(`${path} ${accept}`) ?? await visit(path, accept);
    visits.set(`${path} ${accept}`, visited);
    if (visited.mediaType === "text/html") waiting.push({ path, accept: "text/markdown" });
    for (const link of visited.links) {
      const { origin, pathname, search } = new URL(link.href, SITE_URL + path);
      const next = { path: pathname + search, accept: link.type ?? "*/*" };
      if (origin === SITE_URL) waiting.push(next);
    }
  }
  return visits;
}

function problemOf(link: Link, { from, crawled }: { from: Visited; crawled: Crawl }) {
  const url = new URL(link.href, SITE_URL + from.path);
  if (url.origin !== SITE_URL) {
    return /^(?:https|mailto):$/.test(url.protocol) ? undefined : "leaves the site without TLS";
  }
  // A stored text must keep its targets without its own URL.
  if (/^text\/(?:markdown|plain)$/.test(from.mediaType) && !URL.canParse(link.href)) {
    return "is not absolute";
  }
  if (url.pathname === from.path && from.status === 404) {
    return url.hash === "" || from.ids.has(url.hash.slice(1)) ? undefined : "has a dead fragment";
  }
  const target = crawled.get(`${url.pathname}${url.search} ${link.type ?? "*/*"}`);
  if (target?.status === 405 && url.pathname === "/api/lead") return undefined; // in examples
  if (target?.status !== 200) return `answers ${target?.status}`;
  if (link.type !== undefined && essence(link.type) !== target.mediaType) {
    return `promises ${link.type} and is ${target.mediaType}`;
  }
  const { language = "x-default" } = link;
  if (language !== "x-default" && language !== target.language) return `promises ${language}`;
  const page = target.mediaType === "text/html" || target.canonical === undefined
    ? target
    : crawled.get(`${new URL(target.canonical).pathname} */*`);
  const isDead = url.hash !== "" && !page?.ids.has(decodeURIComponent(url.hash.slice(1)));
  return isDead ? "has a dead fragment" : undefined;
}

const HOMES = LOCALES.map((locale) => pathsIn(locale).home);
const ERROR_PAGES = LOCALES.map(localePrefix)
  .flatMap((prefix) => [`${prefix}/nope`, `${prefix}/nope.md`]);

Deno.test("no representation has a broken link, and links reach every page of the sitemap", async () => {
  const fixed = (await knownPaths(parseConfig({}))).filter((path) => path !== "/api/lead");
  const crawled = await crawl([...HOMES, ...fixed, ...ERROR_PAGES]);
  const all = [...crawled.values()];
  const problems = all.flatMap((from) =>
    from.links.flatMap((link) => {
      const problem = problemOf(link, { from, crawled });
      return problem === undefined
        ? []
        : [`${from.path} (${from.mediaType}): ${link.href} ${problem}`];
    })
  );
  deepEqual([...new Set(problems)], []);
  for (const path of fixed) equal(crawled.get(`${path} */*`)?.status, 200, path);
  const fromHome = await crawl(HOMES, crawled);
  for (const { href } of crawled.get("/sitemap.xml */*")!.links) {
    ok(fromHome.has(`${new URL(href).pathname} */*`), `no page leads to ${href}`);
  }
  for (const path of ERROR_PAGES) ok(crawled.get(`${path} */*`)!.links.length >= 4, path);
  ok(
    all.flatMap(({ links }) => links).length > 500 * LOCALES.length,
    "the crawl has found too little",
  );
});
