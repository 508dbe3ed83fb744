/**
 * @module Which representation of a page a request asks for (RFC 9110 §12.5.1): markdown only where
 * `text/markdown` itself is named with a quality above zero and not below that of HTML. Wildcards and
 * an absent field mean HTML, so that a browser or a plain `curl` never sees markdown by accident.
 */

import type { Context } from "@hono/hono";
import { accepts } from "@hono/hono/accepts";
import type { Accept } from "@hono/hono/utils/accept";

export type Representation = "html" | "markdown";

/** The representation that the Accept field of a request asks for; HTML where it asks for neither. */
export function chooseRepresentation(c: Context): Representation {
  // Browsers do not name it, and parsing what they send costs more than all else of a page.
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
 * The quality (RFC 9110 §12.4.2) of the first of `names` that a field lists, so the most specific goes
 * first; the highest where it is listed twice, 0 where it is not.
 */
export function qualityOf(preferences: readonly Accept[], names: readonly string[]): number {
  for (const name of names) {
    const named = preferences.filter(({ type }) => type.toLowerCase() === name);
    if (named.length > 0) return Math.max(...named.map(({ q }) => q));
  }
  return 0;
}
