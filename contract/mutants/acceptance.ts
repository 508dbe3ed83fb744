/** @module Faults in acceptance: valid leads are refused, or answered wrongly. */

import {
  becomes,
  characters,
  forLead,
  given,
  matches,
  onLead,
  refused,
  refuses,
  when,
} from "./changes.ts";
import type { MutantTable } from "./mutant.ts";

const units = (text: unknown) => typeof text === "string" ? text.length : -1;
const bytes = (text: unknown) =>
  typeof text === "string" ? new TextEncoder().encode(text).length : -1;

/** Valid leads that are refused. */
export const ACCEPTANCE: MutantTable = {
  "a company of 120 characters is refused": [
    refuses("company", ({ company }) => characters(company) === 120),
    "valid_accepted",
  ],
  "a message of 2000 characters is refused": refuses(
    "message",
    ({ message }) => characters(message) === 2_000,
  ),
  "the company's length is counted in UTF-16 units": refuses(
    "company",
    ({ company }) => units(company) > 120,
  ),
  "the message's length is counted in bytes": refuses(
    "message",
    ({ message }) => bytes(message) > 2_000,
  ),
  "an empty company is refused, which the schema allows": refuses(
    "company",
    ({ company }) => company === "",
  ),
  "a company that ends in a space is refused": refuses(
    "company",
    ({ company }) => matches(company, /\s$/),
  ),
  "a message with a control character is refused": refuses(
    "message",
    ({ message }) => matches(message, /\p{Cc}/u),
  ),
  "one plan of five is refused": refuses("plan", ({ plan }) => plan === "hosted"),
  "one locale of two is refused": refuses("locale", ({ locale }) => locale === "de"),
  "an address with + is refused": refuses("email", ({ email }) => matches(email, /\+/)),
  "an address with rare but valid characters is refused": refuses(
    "email",
    ({ email }) => matches(email, /[!#$%&'*/=?^`{|}~]/),
  ),
  "an address of more than 60 characters is refused": refuses(
    "email",
    ({ email }) => characters(email) > 60,
  ),
  "an empty honeypot is refused": refuses("website", ({ website }) => website === ""),
  "a charset parameter beside application/json is refused": refuses(
    "",
    (_lead, { headers }) => matches(headers["content-type"], /charset/i),
  ),
  "a media type in capitals is refused": refuses(
    "",
    (_lead, { headers }) => matches(headers["content-type"], /^[A-Z]/),
  ),
  "a body with \\u escapes is refused": onLead(
    when(200, given(({ body }) => /\\u[0-9a-f]{4}/i.test(body), refused("company"))),
  ),
  "a lead is answered 201": [forLead(() => true, when(200, becomes(201))), "status_documented"],
};
