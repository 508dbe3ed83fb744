/** @module Extracts the links of a response by its media type, without following them. */

import { Marked, type Token } from "marked";
import { elementsOf, type HtmlElement } from "./html.ts";

export interface Link {
  readonly href: string;
  readonly type?: string | undefined;
  /** `hreflang` */
  readonly language?: string | undefined;
  /** An address in text or code: its target exists, but need not support GET. */
  readonly mention?: boolean;
}

export function linksIn(
  text: string,
  { mediaType, siteUrl }: { readonly mediaType: string; readonly siteUrl: string },
): Link[] {
  switch (mediaType) {
    case "text/html":
      return elementsOf(text).flatMap(linksOfElement);
    case "text/markdown":
    case "text/plain": // llms.txt is markdown
      return [...markdownLinks(text), ...addresses(text, siteUrl).map(mentioned)];
    case "text/css":
      return [...text.matchAll(/url\(\s*["']?([^"')]+)/g)].map(([, href]) => ({ href: href! }));
    case "application/manifest+json": {
      const { start_url, icons } = JSON.parse(text);
      const images = icons.map(({ src, type }: { src: string; type: string }) => ({
        href: src,
        type,
      }));
      return [{ href: start_url }, ...images];
    }
    case "application/linkset+json":
      return linksetLinks(JSON.parse(text));
    default:
      return addresses(text, siteUrl).map(mentioned);
  }
}

/** The links of a `Link` header (RFC 8288). */
export function linksOfField(value: string): Link[] {
  return [...value.matchAll(/<([^>]*)>((?:\s*;\s*[\w*-]+=(?:"[^"]*"|[^\s",;]+))*)/g)]
    .map(([, href = "", rest = ""]) => ({
      href,
      type: /;\s*type="?([^";]+)/.exec(rest)?.[1],
      language: /;\s*hreflang="?([^";]+)/.exec(rest)?.[1],
    }));
}

function linksOfElement({ name, attributes, text }: HtmlElement): Link[] {
  if (name === "script" && attributes["type"] === "application/ld+json") {
    return structuredLinks(JSON.parse(text));
  }
  const { href, src, srcset, action, type, hreflang, content, property } = attributes;
  const targets = [
    href,
    src,
    action,
    ...(srcset?.split(",").map((entry) => entry.trim().split(/\s/)[0]) ?? []),
    ...(name === "meta" && /^og:(?:image|url)$/.test(property ?? "") ? [content] : []),
  ];
  const hints = name === "link" || name === "a" ? { type, language: hreflang } : {};
  return targets.flatMap((target) => target === undefined ? [] : [{ href: target, ...hints }]);
}

function markdownLinks(text: string): Link[] {
  const marked = new Marked();
  const links: Link[] = [];
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, "");
  marked.walkTokens(marked.lexer(body), (token: Token) => {
    if (token.type === "link" || token.type === "image") links.push({ href: token["href"] });
  });
  return links;
}

function linksetLinks({ linkset }: { linkset: Record<string, unknown>[] }): Link[] {
  return linkset.flatMap((context) =>
    Object.values(context).flatMap((value) =>
      typeof value === "string" ? [{ href: value }] : value as Link[]
    )
  );
}

/** Addresses in JSON-LD except `@id` and `@context`, which only name things. */
function structuredLinks(value: unknown): Link[] {
  if (typeof value === "string") return /^https?:/.test(value) ? [{ href: value }] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .flatMap(([key, member]) => key === "@id" || key === "@context" ? [] : structuredLinks(member));
}

/** The absolute addresses that start with `prefix`, without punctuation at their end. */
function addresses(text: string, prefix: string): string[] {
  const found = text.matchAll(/https?:\/\/[^\s"'`<>()[\]{}\\|]+/g);
  return [...found].map(([address]) => address.replace(/[.,;:!?]+$/, ""))
    .filter((address) => address.startsWith(prefix));
}

function mentioned(href: string): Link {
  return { href, mention: true };
}
