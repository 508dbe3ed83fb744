/** @module What is stored of a request, and what makes two leads the same. */

import { hasLines, LEAD_FIELDS } from "../schemas/lead_fields.ts";
import type { LeadRequest } from "../schemas/lead.ts";
import type { LeadContent } from "./lead.ts";

/** Their values come first in the identity of a lead, in this order, absent ones too. */
const FIRST: readonly string[] = ["email", "company", "message", "plan", "locale"];

/**
 * The content to store. The schema allows any code point; for targets and exports NUL and lone surrogates
 * become U+FFFD, and what is shown in one line has no line breaks.
 */
export function contentOf(request: LeadRequest): LeadContent {
  const values: Readonly<Record<string, string | undefined>> = request;
  const content = LEAD_FIELDS.flatMap(([name, { stored }]) => {
    const value = stored === false ? undefined : values[name];
    if (value === undefined) return [];
    const text = value.toWellFormed().replaceAll("\0", "\u{FFFD}");
    return [[name, hasLines(name) ? text : text.replace(/[\r\n\u2028\u2029]+/g, " ")]];
  });
  return Object.fromEntries(content);
}

/**
 * What makes two leads the same; letter case of the address does not matter. A field that is added later
 * follows with its name, so that leads without it stay what they were.
 */
export function identityOf(lead: LeadContent): string {
  const values: Record<string, string | undefined> = { ...lead, email: lead.email.toLowerCase() };
  for (const [name, { distinguishes }] of LEAD_FIELDS) {
    if (distinguishes === false) delete values[name];
  }
  const others = Object.keys(values).filter((name) => !FIRST.includes(name)).sort();
  return JSON.stringify([
    ...FIRST.map((name) => values[name]),
    ...others.map((name) => [name, values[name]]),
  ]);
}
