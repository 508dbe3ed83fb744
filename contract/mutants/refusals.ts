/** @module Faults in what is refused: taken, though it should be refused, or refused in another way. */

import { accepted, characters, forLead, LEAD, type Mutant, whenRefused } from "./mutant.ts";

export const REFUSALS: readonly Mutant[] = [
  {
    name: "company-121",
    fault: "a company of 121 characters is taken",
    breaks: "rejection",
    check: "case",
    reply: forLead(({ company }) => characters(company) === 121, whenRefused(accepted)),
  },
  {
    name: "message-2001",
    fault: "a message of 2001 characters is taken",
    breaks: "rejection",
    check: "broken_refused",
    reply: forLead(({ message }) => characters(message) === 2_001, whenRefused(accepted)),
  },
  {
    name: "honeypot-space",
    fault: "a honeypot that holds one space is taken",
    breaks: "rejection",
    reply: forLead(({ website }) => website === " ", whenRefused(accepted)),
  },
  {
    name: "honeypot-ignored",
    fault: "a filled honeypot is taken",
    breaks: "rejection",
    reply: forLead(({ website }) => characters(website) > 0, whenRefused(accepted)),
  },
  {
    name: "plan-upper-case",
    fault: "a plan in upper case is taken",
    breaks: "rejection",
    reply: forLead(
      ({ plan }) => typeof plan === "string" && plan !== plan.toLowerCase(),
      whenRefused(accepted),
    ),
  },
  {
    name: "plan-unknown",
    fault: "any plan is taken",
    breaks: "rejection",
    reply: forLead(
      ({ plan, company }) => typeof plan === "string" && characters(company) <= 120,
      whenRefused(accepted),
    ),
  },
  {
    name: "plan-null",
    fault: "a plan that is null is taken as none",
    breaks: "rejection",
    reply: forLead(({ plan }) => plan === null, whenRefused(accepted)),
  },
  {
    name: "locale-missing",
    fault: "a lead without locale is taken",
    breaks: "rejection",
    reply: forLead(
      (body) => !("locale" in body) && typeof body.email === "string",
      whenRefused(accepted),
    ),
  },
  {
    name: "locale-region",
    fault: "a locale with a region is taken",
    breaks: "rejection",
    reply: forLead(
      ({ locale }) => typeof locale === "string" && /^(?:en|de)-/i.test(locale),
      whenRefused(accepted),
    ),
  },
  {
    name: "email-without-at",
    fault: "an address without @ is taken",
    breaks: "rejection",
    reply: forLead(
      ({ email }) => typeof email === "string" && email !== "" && !email.includes("@"),
      whenRefused(accepted),
    ),
  },
  {
    name: "email-two-lines",
    fault: "an address that holds a line break is taken",
    breaks: "rejection",
    reply: forLead(
      ({ email }) => typeof email === "string" && /[\r\n]/.test(email),
      whenRefused(accepted),
    ),
  },
  {
    name: "company-number",
    fault: "a company that is a number is taken",
    breaks: "rejection",
    reply: forLead(({ company }) => typeof company === "number", whenRefused(accepted)),
  },
  {
    name: "message-null",
    fault: "a message that is null is taken as none",
    breaks: "rejection",
    reply: forLead(({ message }) => message === null, whenRefused(accepted)),
  },
  {
    name: "extra-member",
    fault: "an additional member is taken",
    breaks: "rejection",
    reply: forLead(
      (body) =>
        Object.keys(body).some((name) =>
          !["email", "company", "message", "plan", "locale", "website"].includes(name)
        ) && typeof body.email === "string",
      whenRefused(accepted),
    ),
  },
  {
    name: "member-proto",
    fault: "a member __proto__ is taken",
    breaks: "rejection",
    reply: forLead((body) => Object.hasOwn(body, "__proto__"), whenRefused(accepted)),
  },
  {
    name: "array-of-one",
    fault: "an array that holds a lead is taken",
    breaks: "rejection",
    reply: forLead((body) => Array.isArray(body) && body.length === 1, whenRefused(accepted)),
  },
  {
    name: "trailing-junk",
    fault: "what follows a JSON value is ignored",
    breaks: "rejection",
    reply: (reply, { method, path, body }) =>
      method === "POST" && path === LEAD && reply.status === 400 &&
        /^\{[^]*\}\s*[^\s}]+$/.test(body)
        ? accepted(reply)
        : reply,
  },
  {
    name: "byte-order-mark",
    fault: "a byte order mark before the JSON is skipped",
    breaks: "rejection",
    // TextDecoder drops one mark, so a body that began with one no longer does: told by its length.
    reply: (reply, { method, path, body, headers }) =>
      method === "POST" && path === LEAD && reply.status === 400 && body.startsWith("{") &&
        Number(headers["content-length"]) === new TextEncoder().encode(body).length + 3
        ? accepted(reply)
        : reply,
  },
  {
    name: "text-plain",
    fault: "a lead sent as text/plain is taken",
    breaks: "rejection",
    reply: forLead(
      (_body, { headers }) => /^text\/plain/.test(headers["content-type"] ?? ""),
      whenRefused(accepted),
    ),
  },
  {
    name: "no-media-type",
    fault: "a lead without Content-Type is taken",
    breaks: "rejection",
    reply: forLead((_body, { headers }) => !("content-type" in headers), whenRefused(accepted)),
  },
  {
    name: "status-422",
    fault: "what fits no schema is answered 422",
    breaks: "rejection",
    reply: forLead(() => true, whenRefused((reply) => ({ ...reply, status: 422 }))),
  },
  {
    name: "enum-404",
    fault: "a wrong plan is answered 404",
    breaks: "rejection",
    reply: forLead(
      ({ plan }) => typeof plan === "string",
      whenRefused((reply) => ({ ...reply, status: 404 })),
    ),
  },
  {
    name: "long-body-500",
    fault: "a body of more than 40,000 characters makes the service fail",
    breaks: "rejection",
    reply: (reply, { path, body }) =>
      path === LEAD && body.length > 40_000 ? { ...reply, status: 500 } : reply,
  },
  {
    name: "not-utf-8",
    fault: "bytes that are no UTF-8 are replaced and taken",
    breaks: "rejection",
    check: "anything_survived",
    reply: forLead(
      (body) => JSON.stringify(body).includes("\ufffd"),
      whenRefused(accepted),
    ),
  },
];
