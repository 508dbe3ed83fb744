/**
 * @module Faults in what is refused: taken, though it should be refused, or refused in another way.
 */

import {
  accepted,
  becomes,
  characters,
  forLead,
  LEAD,
  MEMBERS,
  type Mutant,
  on,
  takenIf,
  when,
} from "./mutant.ts";

/** What should be refused, and is not. */
export const REFUSALS: readonly Mutant[] = [
  {
    name: "company-121",
    fault: "a company of 121 characters is taken",
    breaks: "rejection",
    check: "case",
    reply: forLead(({ company }) => characters(company) === 121, when(400, accepted)),
  },
  {
    name: "message-2001",
    fault: "a message of 2001 characters is taken",
    breaks: "rejection",
    check: "broken_refused",
    reply: forLead(({ message }) => characters(message) === 2_001, when(400, accepted)),
  },
  {
    name: "honeypot-space",
    fault: "a honeypot that holds one space is taken",
    breaks: "rejection",
    reply: forLead(({ website }) => website === " ", when(400, accepted)),
  },
  {
    name: "honeypot-ignored",
    fault: "a filled honeypot is taken",
    breaks: "rejection",
    reply: forLead(({ website }) => characters(website) > 0, when(400, accepted)),
  },
  {
    name: "plan-upper-case",
    fault: "a plan in upper case is taken",
    breaks: "rejection",
    reply: forLead(
      ({ plan }) => typeof plan === "string" && plan !== plan.toLowerCase(),
      when(400, accepted),
    ),
  },
  {
    name: "plan-unknown",
    fault: "any plan is taken",
    breaks: "rejection",
    reply: forLead(
      ({ plan, company }) => typeof plan === "string" && characters(company) <= 120,
      when(400, accepted),
    ),
  },
  {
    name: "plan-null",
    fault: "a plan that is null is taken as none",
    breaks: "rejection",
    reply: forLead(({ plan }) => plan === null, when(400, accepted)),
  },
  {
    name: "locale-missing",
    fault: "a lead without locale is taken",
    breaks: "rejection",
    reply: forLead(
      (body) => !("locale" in body) && typeof body.email === "string",
      when(400, accepted),
    ),
  },
  {
    name: "locale-region",
    fault: "a locale with a region is taken",
    breaks: "rejection",
    reply: forLead(
      ({ locale }) => typeof locale === "string" && /^(?:en|de)-/i.test(locale),
      when(400, accepted),
    ),
  },
  {
    name: "email-without-at",
    fault: "an address without @ is taken",
    breaks: "rejection",
    reply: forLead(
      ({ email }) => typeof email === "string" && email !== "" && !email.includes("@"),
      when(400, accepted),
    ),
  },
  {
    name: "email-two-lines",
    fault: "an address that holds a line break is taken",
    breaks: "rejection",
    reply: forLead(
      ({ email }) => typeof email === "string" && /[\r\n]/.test(email),
      when(400, accepted),
    ),
  },
  {
    name: "company-number",
    fault: "a company that is a number is taken",
    breaks: "rejection",
    reply: forLead(({ company }) => typeof company === "number", when(400, accepted)),
  },
  {
    name: "message-null",
    fault: "a message that is null is taken as none",
    breaks: "rejection",
    reply: forLead(({ message }) => message === null, when(400, accepted)),
  },
  {
    name: "extra-member",
    fault: "an additional member is taken",
    breaks: "rejection",
    reply: forLead(
      (body) =>
        Object.keys(body).some((name) => !MEMBERS.includes(name)) && typeof body.email === "string",
      when(400, accepted),
    ),
  },
  {
    name: "member-proto",
    fault: "a member __proto__ is taken",
    breaks: "rejection",
    reply: forLead((body) => Object.hasOwn(body, "__proto__"), when(400, accepted)),
  },
  {
    name: "array-of-one",
    fault: "an array that holds a lead is taken",
    breaks: "rejection",
    reply: forLead((body) => Array.isArray(body) && body.length === 1, when(400, accepted)),
  },
  {
    name: "trailing-junk",
    fault: "what follows a JSON value is ignored",
    breaks: "rejection",
    reply: takenIf(({ body }) => /^\{[^]*\}\s*[^\s}]+$/.test(body)),
  },
  {
    name: "byte-order-mark",
    fault: "a byte order mark before the JSON is skipped",
    breaks: "rejection",
    // TextDecoder drops one mark, so a body that began with one no longer does: told by its length.
    reply: takenIf(({ body, headers }) =>
      body.startsWith("{") &&
      Number(headers["content-length"]) === new TextEncoder().encode(body).length + 3
    ),
  },
  {
    name: "text-plain",
    fault: "a lead sent as text/plain is taken",
    breaks: "rejection",
    reply: forLead(
      (_body, { headers }) => /^text\/plain/.test(headers["content-type"] ?? ""),
      when(400, accepted),
    ),
  },
  {
    name: "no-media-type",
    fault: "a lead without Content-Type is taken",
    breaks: "rejection",
    reply: forLead((_body, { headers }) => !("content-type" in headers), when(400, accepted)),
  },
  {
    name: "status-422",
    fault: "what fits no schema is answered 422",
    breaks: "rejection",
    reply: forLead(() => true, when(400, becomes(422))),
  },
  {
    name: "enum-404",
    fault: "a wrong plan is answered 404",
    breaks: "rejection",
    reply: forLead(
      ({ plan }) => typeof plan === "string",
      when(400, becomes(404)),
    ),
  },
  {
    name: "long-body-500",
    fault: "a body of more than 40,000 characters makes the service fail",
    breaks: "rejection",
    reply: on(LEAD, (reply, { body }) => body.length > 40_000 ? { ...reply, status: 500 } : reply),
  },
  {
    name: "not-utf-8",
    fault: "bytes that are no UTF-8 are replaced and taken",
    breaks: "rejection",
    check: "anything_survived",
    reply: forLead(
      (body) => JSON.stringify(body).includes("\ufffd"),
      when(400, accepted),
    ),
  },
];
