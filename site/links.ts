/**
 * @module Finds links in markdown without rendering it, to rewrite them in place and report them by
 * line: inline links, images and definitions (`[label]: /path`), but not code. `check_links.ts`
 * reports links that only the renderer recognises.
 */

export interface FoundLink {
  readonly href: string;
  readonly start: number;
  /** The line, counted from 1. */
  readonly line: number;
}

/** What may precede a fence: indentation, list markers and quote marks. */
const MARKS = String.raw`^[ \t]*(?:(?:[-*+>]|\d+[.)])[ \t]+)*`;
/** A fenced block, to its end or that of the text. */
const BLOCK = new RegExp(`${MARKS}(\`{3,}|~{3,})[^]*?(?:${MARKS}\\1.*$|(?![^]))`, "gm");
const CODE_SPAN = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g;
const TARGET = /(?<=(?<!\\)\]\([ \t]*<?)[^\s()<>]+|(?<=^ {0,3}\[[^\]\n]+\]:[ \t]*<?)[^\s<>]+/gm;

export function findLinks(markdown: string): FoundLink[] {
  return [...withoutCode(markdown).matchAll(TARGET)].map(({ 0: href, index: start }) => {
    return { href, start, line: lineOf(markdown, start) };
  });
}

/** Blanks code, so that all offsets hold. */
export function withoutCode(markdown: string): string {
  const blank = (code: string) => code.replace(/./g, " ");
  return markdown.replace(BLOCK, blank).replace(CODE_SPAN, blank);
}

/** The line of an offset, counted from 1. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The last link first, so that the offsets of the others hold. */
export function rewriteLinks(markdown: string, rewrite: (href: string) => string): string {
  return findLinks(markdown).reduceRight(
    (text, { href, start }) =>
      text.slice(0, start) + rewrite(href) + text.slice(start + href.length),
    markdown,
  );
}

/** Removes images without text from markdown: decoration says nothing to agents. */
export function withoutDecoration(markdown: string): string {
  return findLinks(markdown).reduceRight((text, { href, start }) => {
    const before = text.slice(0, start);
    if (!before.endsWith("![](")) return text;
    return before.slice(0, -"![](".length) + text.slice(start + href.length).replace(/^\) ?/, "");
  }, markdown);
}

/** Whether a link is a path of this site, and not one that browsers resolve to another host. */
export function isSitePath(href: string): boolean {
  return /^\/(?![/\\])[^\s\\]*$/.test(href);
}

/** Whether a link is a path of this site, a fragment, or an http, https or mailto URL. */
export function isSafeLink(href: string): boolean {
  return isSitePath(href) || /^#[^\s]*$/.test(href) || /^https?:\/\/[^\s/\\]/i.test(href) ||
    /^mailto:[^\s]+$/i.test(href);
}

/**
 * The id of a heading. ASCII only, for readable URLs: "Prüfbare Schritte" becomes pruefbare-schritte. It
 * never has a `_`, and all ids of the layout and the form have one: no heading gets an id of theirs.
 */
export function slug(text: string): string {
  const ascii = text.toLowerCase()
    .replace(/[äöü]/g, (vowel) => ({ ä: "ae", ö: "oe", ü: "ue" })[vowel] ?? vowel)
    .replaceAll("ß", "ss").normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
    .replace(/&[a-z#0-9]+;/g, " ");
  return ascii.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "section";
}
