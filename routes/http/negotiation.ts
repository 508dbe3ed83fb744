/**
 * @module Negotiates a page's representation (RFC 9110 §12.5.1): markdown only if `text/markdown` itself
 * is listed with a quality above zero and not below that of HTML. Wildcards and an absent field mean
 * HTML, so that a browser or a plain `curl` never gets markdown by accident.
 */

import type { Context } from "@hono/hono";
import { accepts } from "@hono/hono/accepts";
import type { Accept } from "@hono/hono/utils/accept";

export type Representation = "html" | "markdown";

/** The representation that a request's Accept field prefers; HTML if it accepts neither. */
export function chooseRepresentation(c: Context): Representation {
  // Browsers do not list it, and parsing their field costs more than the rest of a request.
  if (!/text\/markdown/i.test(c.req.header("accept") ?? "")) return "html";
  return accepts(c, {
    header: "Accept",
    supports: ["html", "markdown"],
    default: "html",
    match: matchNamedMarkdown,
  }) as Representation;
}

function matchNamedMarkdown(ranges: Accept[]): Representation {
  const markdown = qualityOf(ranges, ["text/markdown"]);
  const html = qualityOf(ranges, ["text/html", "text/*", "*/*"]);
  return markdown > 0 && markdown >= html ? "markdown" : "html";
}

/**
 * The quality (RFC 9110 §12.4.2) of the first of `names`, most specific first, that a field lists; the
 * highest if it is listed twice, 0 if none is.
 */
export function qualityOf(preferences: readonly Accept[], names: readonly string[]): number {
  for (const name of names) {
    const named = preferences.filter(({ type }) => type.toLowerCase() === name);
    if (named.length > 0) return Math.max(...named.map(({ q }) => q));
  }
  return 0;
}
