/** @module Parses the body of a form (application/x-www-form-urlencoded, WHATWG URL §5.1) within bounds. */

import { MAX_MEMBERS } from "./fields.ts";

interface FormFields {
  /** By name, with LF as line breaks: forms submit CR LF. */
  readonly values: Readonly<Record<string, string>>;
  /** Why the form must be refused; `values` are then what can be shown to the visitor again. */
  readonly problem?: "too_many_fields";
}

/** Of a form with too many fields only the first are read. */
export function parseForm(body: Uint8Array): FormFields {
  const pairs = new TextDecoder().decode(body).split("&", MAX_MEMBERS + 1);
  const fields = [...new URLSearchParams(pairs.slice(0, MAX_MEMBERS).join("&"))]
    .map(([name, value]) => [name, value.replaceAll("\r\n", "\n")]);
  const values = Object.fromEntries(fields);
  if (pairs.length > MAX_MEMBERS) return { values, problem: "too_many_fields" };
  return { values };
}
