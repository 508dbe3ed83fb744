/** @module Chooses a representation by Accept, a coding by Accept-Encoding (RFC 9110 §12.5). */

import type { Context } from "@hono/hono";
import { type Accept, parseAccept } from "@hono/hono/utils/accept";
import { fieldOf } from "./fields.ts";

export type Representation = "html" | "markdown";

export type Coding = "br" | "gzip";

/**
 * Markdown only if `text/markdown` itself is listed with a quality above zero and not below that of
 * HTML. Wildcards and an absent field mean HTML, so that a browser or a plain `curl` never gets
 * markdown by accident.
 */
export function chooseRepresentation(c: Context): Representation {
  const field = fieldOf(c.req.raw, "accept") ?? "";
  // Browsers do not list it, and parsing their field costs more than the rest of a request.
  if (!/text\/markdown/i.test(field)) return "html";
  const ranges = parseAccept(field);
  const markdown = qualityOf(ranges, ["text/markdown"]);
  const html = qualityOf(ranges, ["text/html", "text/*", "*/*"]);
  return markdown > 0 && markdown >= html ? "markdown" : "html";
}

/** The coding of the highest quality, brotli among equals; identity if the client forbids all. */
export function chooseCoding(c: Context): Coding | "identity" {
  const preferences = parseAccept(fieldOf(c.req.raw, "accept-encoding") ?? "");
  const br = qualityOf(preferences, ["br", "*"]);
  const gzip = qualityOf(preferences, ["gzip", "x-gzip", "*"]);
  const highest = Math.max(br, gzip);
  // An unlisted identity is acceptable, but not preferred.
  if (highest === 0 || highest < qualityOf(preferences, ["identity"])) return "identity";
  return br === highest ? "br" : "gzip";
}

/**
 * The quality (RFC 9110 §12.4.2) of the first of `names`, most specific first, that a field lists; the
 * highest if it is listed twice, 0 if none is.
 */
function qualityOf(preferences: readonly Accept[], names: readonly string[]): number {
  for (const name of names) {
    const named = preferences.filter(({ type }) => type.toLowerCase() === name);
    if (named.length > 0) return Math.max(...named.map(({ q }) => q));
  }
  return 0;
}
