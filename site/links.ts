/**
 * @module Finds links in markdown without rendering it, to rewrite them in place and report them by
 * line: inline links, images and definitions (`[label]: /path`), but not code. `check.ts` reports
 * links that only the renderer recognises.
 */

export interface FoundLink {
  readonly href: string;
  /** Offset of `href` in the source. */
  readonly start: number;
  /** The line, counted from 1. */
  readonly line: number;
}

const FENCE = /^\s*(?:[-*+>]\s+|\d+[.)]\s+)*(`{3,}|~{3,})/;
const CODE_SPAN = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g;
const TARGET = /\]\(\s*<?([^\s()<>]+)|^ {0,3}\[[^\]]+\]:\s*<?([^\s<>]+)/dg;

export function findLinks(markdown: string): FoundLink[] {
  const found: FoundLink[] = [];
  let offset = 0;
  let fence: string | undefined;
  for (const [index, line] of markdown.split("\n").entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined) {
      if (mark === undefined) {
        for (const { href, start } of targetsIn(line)) {
          found.push({ href, start: offset + start, line: index + 1 });
        }
      } else fence = mark;
    } else if (mark?.startsWith(fence)) fence = undefined;
    offset += line.length + 1;
  }
  return found;
}

function targetsIn(line: string): { href: string; start: number }[] {
  const withoutCode = line.replace(CODE_SPAN, (span) => " ".repeat(span.length));
  return [...withoutCode.matchAll(TARGET)].map((match) => {
    const group = match[1] === undefined ? 2 : 1;
    return { href: match[group]!, start: match.indices![group]![0] };
  });
}

export function rewriteLinks(markdown: string, rewrite: (href: string) => string): string {
  let rewritten = "";
  let at = 0;
  for (const { href, start } of findLinks(markdown)) {
    rewritten += markdown.slice(at, start) + rewrite(href);
    at = start + href.length;
  }
  return rewritten + markdown.slice(at);
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
