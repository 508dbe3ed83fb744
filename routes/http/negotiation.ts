/**
 * @module Which representation of a page a request asks for: HTML or markdown.
 *
 * Follows RFC 9110 §12.5.1 with one stance of this service: markdown only where `text/markdown`
 * itself is named with a quality above zero and not below that of HTML. Wildcards and an absent
 * field mean HTML, so that a browser or a plain `curl` never sees markdown by accident.
 * Never answers 406: HTML is the default that is always sent.
 */

/** The representations that every page has. */
export type Representation = "html" | "markdown";

/** One media range of an Accept field: `type/subtype;q=…`, other parameters left out. */
interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

/** RFC 9110 §12.4.2: 0 to 1 with at most three decimals. */
const QVALUE = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** Field values repeat (a few dozen clients make most requests): remember the last ones' outcome. */
const REMEMBERED = 256;
const remembered = new Map<string, Representation>();

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
export function chooseRepresentation(accept: string | null): Representation {
  if (accept === null) return "html";
  const known = remembered.get(accept);
  if (known !== undefined) return known;
  const chosen = decide(accept);
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(accept, chosen);
  return chosen;
}

function decide(accept: string): Representation {
  const ranges = parseRanges(accept);
  const markdown = qualityOf(ranges, ["text/markdown"]);
  if (markdown === undefined || markdown === 0) return "html";
  const html = qualityOf(ranges, ["text/html", "text/*", "*/*"]) ?? 0;
  return markdown >= html ? "markdown" : "html";
}

/** The quality of the first of `types` that is named, most specific first; the highest if twice. */
function qualityOf(ranges: MediaRange[], types: string[]): number | undefined {
  for (const type of types) {
    const named = ranges.filter((range) => range.type === type);
    if (named.length > 0) return Math.max(...named.map((range) => range.quality));
  }
  return undefined;
}

/** Splits the field; a range with a malformed quality is left out, as if it had not been sent. */
function parseRanges(accept: string): MediaRange[] {
  const ranges: MediaRange[] = [];
  for (const entry of splitOutsideQuotes(accept, ",")) {
    const [type = "", ...parameters] = splitOutsideQuotes(entry, ";").map((part) => part.trim());
    let quality = "1";
    for (const parameter of parameters) {
      const [name = "", value = ""] = parameter.split("=", 2);
      if (name.trim().toLowerCase() === "q") quality = value.trim();
    }
    if (QVALUE.test(quality)) ranges.push({ type: type.toLowerCase(), quality: Number(quality) });
  }
  return ranges;
}

/** Splits on a separator, but not inside a quoted string (RFC 9110 §5.6.4). */
function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted && character === "\\") at++;
    else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
