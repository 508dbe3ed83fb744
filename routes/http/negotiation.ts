/**
 * @module Which representation of a page a request asks for: HTML or markdown.
 *
 * Follows RFC 9110 §12.5.1 with one stance of this service: markdown only where `text/markdown`
 * itself is named with a quality above zero and not below that of HTML. Wildcards and an absent
 * field mean HTML, so that a browser or a plain `curl` never sees markdown by accident.
 * Never answers 406: HTML is the default that is always sent.
 */

import { parsePreferences, qualityOf, remembering } from "./quality.ts";

/** The representations that every page has. */
export type Representation = "html" | "markdown";

/**
 * Chooses the representation for an Accept field value (`null`: the field is absent).
 *
 * @example
 * ```ts
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(chooseRepresentation("text/markdown, text/html, *\/*"), "markdown");
 * strictEqual(chooseRepresentation("text/html, text/markdown;q=0.9"), "html");
 * strictEqual(chooseRepresentation("*\/*"), "html");
 * ```
 */
export const chooseRepresentation: (accept: string | null) => Representation = remembering(
  decide,
  { absent: "html" },
);

function decide(accept: string): Representation {
  const ranges = parsePreferences(accept);
  const markdown = qualityOf(ranges, ["text/markdown"]);
  if (markdown === undefined || markdown === 0) return "html";
  const html = qualityOf(ranges, ["text/html", "text/*", "*/*"]) ?? 0;
  return markdown >= html ? "markdown" : "html";
}
