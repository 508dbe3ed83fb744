/** @module Faults in what is taken: refused, though it should be taken, or answered wrongly. */

import { becomes, characters, forLead, type Mutant, refused, when } from "./mutant.ts";

const units = (text: unknown) => typeof text === "string" ? text.length : -1;

/** What should be taken, and is not. */
export const ACCEPTANCE: readonly Mutant[] = [
  {
    name: "company-120",
    fault: "a company of 120 characters is refused",
    breaks: "acceptance",
    check: "valid_accepted",
    reply: forLead(
      ({ company }) => characters(company) === 120,
      when(200, refused("company", "maxLength")),
    ),
  },
  {
    name: "message-2000",
    fault: "a message of 2000 characters is refused",
    breaks: "acceptance",
    reply: forLead(
      ({ message }) => characters(message) === 2_000,
      when(200, refused("message", "maxLength")),
    ),
  },
  {
    name: "company-utf-16",
    fault: "the company's length is counted in UTF-16 units",
    breaks: "acceptance",
    reply: forLead(
      ({ company }) => units(company) > 120,
      when(200, refused("company", "maxLength")),
    ),
  },
  {
    name: "message-bytes",
    fault: "the message's length is counted in bytes",
    breaks: "acceptance",
    reply: forLead(
      ({ message }) =>
        typeof message === "string" && new TextEncoder().encode(message).length > 2_000,
      when(200, refused("message", "maxLength")),
    ),
  },
  {
    name: "company-empty",
    fault: "an empty company is refused, which the schema allows",
    breaks: "acceptance",
    reply: forLead(({ company }) => company === "", when(200, refused("company", "minLength"))),
  },
  {
    name: "plan-hosted",
    fault: "one plan of five is refused",
    breaks: "acceptance",
    reply: forLead(({ plan }) => plan === "hosted", when(200, refused("plan", "enum"))),
  },
  {
    name: "email-plus",
    fault: "an address with + is refused",
    breaks: "acceptance",
    reply: forLead(
      ({ email }) => typeof email === "string" && email.includes("+"),
      when(200, refused("email", "format")),
    ),
  },
  {
    name: "email-specials",
    fault: "an address with rare but valid characters is refused",
    breaks: "acceptance",
    reply: forLead(
      ({ email }) => typeof email === "string" && /[!#$%&'*/=?^`{|}~]/.test(email),
      when(200, refused("email", "format")),
    ),
  },
  {
    name: "honeypot-empty",
    fault: "an empty honeypot is refused",
    breaks: "acceptance",
    reply: forLead(({ website }) => website === "", when(200, refused("website", "maxLength"))),
  },
  {
    name: "media-type-charset",
    fault: "a charset parameter beside application/json is refused",
    breaks: "acceptance",
    reply: forLead(
      (_body, { headers }) => /charset/i.test(headers["content-type"] ?? ""),
      when(200, refused("", "format")),
    ),
  },
  {
    name: "status-201",
    fault: "a lead is answered 201",
    breaks: "acceptance",
    check: "status_documented",
    reply: forLead(() => true, when(200, becomes(201))),
  },
];
