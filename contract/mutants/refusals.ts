/** @module Faults in refusals: invalid leads are accepted, or refused wrongly. */

import {
  accepts,
  acceptsBody,
  becomes,
  characters,
  forLead,
  given,
  LEAD,
  matches,
  on,
  onLead,
  unknownMember,
  when,
} from "./changes.ts";
import type { MutantTable } from "./mutant.ts";

const lengthOf = (text: string) => new TextEncoder().encode(text).length;

/** Invalid leads that are accepted or refused wrongly. */
export const REFUSALS: MutantTable = {
  "a company of 121 characters is accepted": [
    accepts(({ company }) => characters(company) === 121),
    "case",
  ],
  "a message of 2001 characters is accepted": [
    accepts(({ message }) => characters(message) === 2_001),
    "broken_refused",
  ],
  "a honeypot with one space is accepted": accepts(({ website }) => website === " "),
  "a filled honeypot is accepted": accepts(({ website }) => characters(website) > 0),
  "a plan in upper case is accepted": accepts(({ plan }) =>
    typeof plan === "string" && plan !== plan.toLowerCase()
  ),
  "a plan with a space after it is accepted": accepts(({ plan }) =>
    typeof plan === "string" && plan !== plan.trim()
  ),
  "any plan is accepted": accepts(({ plan, company }) =>
    typeof plan === "string" && characters(company) <= 120
  ),
  "a plan of null is accepted": accepts(({ plan }) => plan === null),
  "a message of null is accepted": accepts(({ message }) => message === null),
  "a company that is a number is accepted": accepts(({ company }) => typeof company === "number"),
  "a lead without company is accepted": accepts((lead) =>
    !("company" in lead) && typeof lead.email === "string"
  ),
  "a lead without locale is accepted": accepts((lead) =>
    !("locale" in lead) && typeof lead.email === "string"
  ),
  "a locale with a region is accepted": accepts(({ locale }) => matches(locale, /^(?:en|de)-/i)),
  "an address without @ is accepted": accepts(({ email }) => matches(email, /^[^@]+$/)),
  "an address with a line break is accepted": accepts(({ email }) => matches(email, /[\r\n]/)),
  "an additional member is accepted": accepts(({ email }, request) =>
    unknownMember(request) !== undefined && typeof email === "string"
  ),
  "a member __proto__ is accepted": accepts((lead) => Object.hasOwn(lead, "__proto__")),
  "an array with one lead is accepted": accepts((lead) => Array.isArray(lead) && lead.length === 1),
  "text after the JSON value is ignored": acceptsBody(({ body }) =>
    /^\{[^]*\}\s*[^\s}]+$/.test(body)
  ),
  "JSON with a trailing comma is accepted": acceptsBody(({ body }) => /,\s*\}\s*$/.test(body)),
  // TextDecoder drops the mark, so only the length shows that the body began with one.
  "a byte order mark before the JSON is skipped": acceptsBody(({ body, headers }) =>
    body.startsWith("{") && Number(headers["content-length"]) === lengthOf(body) + 3
  ),
  "a body one byte too long is accepted": acceptsBody(({ headers }) =>
    headers["content-length"] === "65537"
  ),
  "a lead sent as text/plain is accepted": accepts((_lead, { headers }) =>
    matches(headers["content-type"], /^text\/plain/)
  ),
  "a lead without Content-Type is accepted": accepts((_lead, { headers }) =>
    !("content-type" in headers)
  ),
  "a lead that does not fit the schema is answered 422": forLead(
    () => true,
    when(400, becomes(422)),
  ),
  "an unknown plan is answered 404": forLead(
    ({ plan }) => typeof plan === "string",
    when(400, becomes(404)),
  ),
  "a body of more than 40,000 characters makes the service fail": on(
    LEAD,
    given(({ body }) => body.length > 40_000, becomes(500)),
  ),
  "a body of more than 40,000 characters gets no response": [
    on(LEAD, given(({ body }) => body.length > 40_000, (reply) => ({ ...reply, cut: 0 }))),
    "answers",
  ],
  "a lead without body makes the service fail": onLead(
    given(({ body }) => body === "", becomes(500)),
  ),
  "bytes that are not UTF-8 are replaced and accepted": [
    accepts((lead) => JSON.stringify(lead).includes("\ufffd")),
    "anything_survived",
  ],
};
