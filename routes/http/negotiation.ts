/** @module Chooses a representation by Accept, a coding by Accept-Encoding (RFC 9110 §12.5). */

import type { Context } from "@hono/hono";
import { type Accept, parseAccept } from "@hono/hono/utils/accept";
import { fieldOf } from "./fields.ts";

/** What a client must name to get it in place of HTML. */
const NAMED = { markdown: "text/markdown", json: "application/json" } as const;

export type Coding = "br" | "gzip";

/**
 * One of the others only if its media type itself is listed with a quality above zero and not below that
 * of HTML. Wildcards and an absent field mean HTML, so that a browser or a plain `curl` never gets
 * markdown by accident.
 */
export function chooseRepresentation<Other extends keyof typeof NAMED>(
  c: Context,
  others: readonly Other[],
): "html" | Other {
  const field = fieldOf(c.req.raw, "accept") ?? "";
  // Browsers list neither, and parsing their field costs more than the rest of a request.
  if (!/text\/markdown|application\/json/i.test(field)) return "html";
  const ranges = parseAccept(field);
  let chosen: "html" | Other = "html";
  let highest = qualityOf(ranges, ["text/html", "text/*", "*/*"]);
  for (const other of others) {
    const quality = qualityOf(ranges, [NAMED[other]]);
    if (quality > highest || (chosen === "html" && quality > 0 && quality === highest)) {
      [chosen, highest] = [other, quality];
    }
  }
  return chosen;
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
