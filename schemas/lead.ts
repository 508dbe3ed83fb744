/**
 * @module The lead that is taken and the answer to it (specification §2, LeadRequest, LeadResponse).
 *
 * Lengths count code points, as JSON Schema does. `email` is checked against the WHATWG expression
 * and the mailbox limit of RFC 5321 (254 characters); the published schema says `format: email` only.
 */

import type { Schema, StringSchema, TypeOf } from "./schema.ts";

/** An enquiry, as it is sent. No members but these. */
export const LeadRequest = {
  type: "object",
  properties: {
    email: { type: "string", format: "email" },
    company: { type: "string", maxLength: 120 },
    message: { type: "string", maxLength: 2000 },
    plan: { type: "string", enum: ["pro", "business", "enterprise", "hosted", "unspecified"] },
    locale: { type: "string", enum: ["en", "de"] },
    website: {
      description: "Honeypot: leave it out, or empty.",
      type: "string",
      maxLength: 0,
    },
  },
  required: ["email", "company", "locale"],
  additionalProperties: false,
  examples: [{
    email: "ada@example.com",
    company: "Example GmbH",
    message: "We would like to see the approvals at work.",
    plan: "enterprise",
    locale: "en",
  }],
} as const satisfies Schema;

/** A lead that is valid. */
export type LeadRequest = TypeOf<typeof LeadRequest>;

/** What a sender is told of a lead that was taken. */
export const LeadResponse = {
  type: "object",
  properties: {
    ok: { type: "boolean" },
    delivered: {
      type: "boolean",
      description:
        "true: every target has acknowledged the lead. false: not all have yet, or there is none.",
    },
  },
  required: ["ok", "delivered"],
  additionalProperties: false,
  examples: [{ ok: true, delivered: true }],
} as const satisfies Schema;

/** An answer that is valid. */
export type LeadResponse = TypeOf<typeof LeadResponse>;

/** One way in which a body is not a LeadRequest. Holds nothing of what was sent. */
export interface LeadIssue {
  /** JSON Pointer (RFC 6901) to the member; empty for the body as a whole. */
  readonly path: string;
  /** The JSON Schema keyword that is not satisfied. */
  readonly rule: string;
  /** What the member has to be, in English. */
  readonly message: string;
}

/** What is wrong with a value, wherever it stands. */
type Fault = Omit<LeadIssue, "path">;

const MEMBERS = Object.entries<StringSchema>(LeadRequest.properties);
const NAMES: ReadonlySet<string> = new Set(MEMBERS.map(([name]) => name));
const REQUIRED: ReadonlySet<string> = new Set(LeadRequest.required);

const MISSING: Fault = { rule: "required", message: "This member is required." };
const NO_OBJECT: Fault = { rule: "type", message: "Must be of type object." };
const UNKNOWN: Fault = {
  rule: "additionalProperties",
  message: `Only these members exist: ${[...NAMES].join(", ")}.`,
};

/** Checks a parsed body: the lead, or every way in which it is none. */
export function parseLead(body: unknown): { lead: LeadRequest } | { issues: LeadIssue[] } {
  if (!isObject(body)) return { issues: [{ path: "", ...NO_OBJECT }] };
  const issues: LeadIssue[] = [];
  for (const [name, schema] of MEMBERS) {
    // What the prototype has was not sent.
    const fault = Object.hasOwn(body, name)
      ? faultOf(body[name], schema)
      : REQUIRED.has(name)
      ? MISSING
      : undefined;
    if (fault !== undefined) issues.push({ path: `/${name}`, ...fault });
  }
  if (!Object.keys(body).every((name) => NAMES.has(name))) issues.push({ path: "", ...UNKNOWN });
  return issues.length === 0 ? { lead: body as LeadRequest } : { issues };
}

function isObject(body: unknown): body is Record<string, unknown> {
  return typeof body === "object" && body !== null && !Array.isArray(body);
}

function faultOf(
  value: unknown,
  { enum: values, maxLength, format }: StringSchema,
): Fault | undefined {
  if (values !== undefined) {
    return values.some((one) => one === value)
      ? undefined
      : { rule: "enum", message: `Must be one of: ${values.join(", ")}.` };
  }
  if (typeof value !== "string") return { rule: "type", message: "Must be of type string." };
  if (maxLength !== undefined && isLonger(value, maxLength)) {
    return {
      rule: "maxLength",
      message: maxLength === 0
        ? "Must be left out or empty."
        : `Must have at most ${maxLength} characters.`,
    };
  }
  return format === "email" && !isEmail(value)
    ? { rule: "format", message: "Must be an email address." }
    : undefined;
}

/** A code point has one unit or two: most texts need not be walked through. */
function isLonger(text: string, length: number): boolean {
  if (text.length <= length) return false;
  return text.length > 2 * length || [...text].length > length;
}

const MAILBOX_LENGTH = 254;

/** HTML Standard §4.10.5.1.5, "valid e-mail address": what browsers take. */
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const EMAIL = new RegExp(`^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})*$`, "i");

function isEmail(text: string): boolean {
  return text.length <= MAILBOX_LENGTH && EMAIL.test(text);
}
