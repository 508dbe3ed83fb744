/**
 * @module Every link that an answer holds, whatever its media type, and what the link says of its
 * target. Knows nothing of whether the target is there.
 */

import { Marked, type Token } from "marked";
import { elementsOf, type HtmlElement } from "./html.ts";

/** A link as it is written. */
export interface Link {
  readonly href: string;
  /** The media type that it promises. */
  readonly type?: string | undefined;
  /** The language that it promises; `x-default` promises none. */
  readonly language?: string | undefined;
  /** An address in running text or in code: it has to exist, but need not answer GET. */
  readonly mention?: boolean;
}

/** Finds the links of a body. */
export function linksIn(
  text: string,
  { mediaType, siteUrl }: { readonly mediaType: string; readonly siteUrl: string },
): Link[] {
  switch (mediaType) {
    case "text/html":
      return elementsOf(text).flatMap(linksOfElement);
    case "text/markdown":
    case "text/plain": // llms.txt and its like are markdown; in others the addresses are enough
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

/** Finds the links of a `Link` field (RFC 8288). */
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
  const promised = name === "link" || name === "a" ? { type, language: hreflang } : {};
  return targets.flatMap((target) => target === undefined ? [] : [{ href: target, ...promised }]);
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

/** Addresses in JSON-LD, but not `@id` and `@context`: they name a thing and lead to nothing. */
function structuredLinks(value: unknown): Link[] {
  if (typeof value === "string") return /^https?:/.test(value) ? [{ href: value }] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .flatMap(([key, member]) => key === "@id" || key === "@context" ? [] : structuredLinks(member));
}

/** Every absolute address in a text that begins with `prefix`, without what ends its sentence. */
function addresses(text: string, prefix: string): string[] {
  const found = text.matchAll(/https?:\/\/[^\s"'`<>()[\]{}\\|]+/g);
  return [...found].map(([address]) => address.replace(/[.,;:!?]+$/, ""))
    .filter((address) => address.startsWith(prefix));
}

function mentioned(href: string): Link {
  return { href, mention: true };
}
