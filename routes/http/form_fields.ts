/** @module Parses the body of a form (application/x-www-form-urlencoded, WHATWG URL §5.1) within bounds. */

import { MAX_MEMBERS } from "./fields.ts";

/**
 * The fields by name, with LF as line breaks (forms submit CR LF). If the form must be refused, they are what
 * can be shown again: the first ones, with U+FFFD for what is not UTF-8.
 */
export function parseForm(
  body: Uint8Array,
): { values: Record<string, string>; problem?: "invalid_utf8" | "too_many_fields" } {
  const pairs = new TextDecoder().decode(body).split("&", MAX_MEMBERS + 1);
  const fields = [...new URLSearchParams(pairs.slice(0, MAX_MEMBERS).join("&"))]
    .map(([name, value]) => [name, value.replaceAll("\r\n", "\n")]);
  const values = Object.fromEntries(fields);
  if (pairs.length > MAX_MEMBERS) return { values, problem: "too_many_fields" };
  return isUtf8(body) ? { values } : { values, problem: "invalid_utf8" };
}

/** Whether the bytes are UTF-8, before and after percent-decoding. */
function isUtf8(body: Uint8Array): boolean {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    // `decodeURIComponent` also throws at a percent sign without digits, which is text in a form.
    decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, "%25"));
    return true;
  } catch {
    return false;
  }
}
