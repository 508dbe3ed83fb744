/**
 * @module The lead that is taken and the answer to it (specification §2, LeadRequest, LeadResponse).
 *
 * Lengths count code points, as JSON Schema does. `email` is checked against the WHATWG expression
 * and the mailbox limit of RFC 5321 (254 characters); the published schema says `format: email` only.
 */

import { z } from "zod";

const MAILBOX_LENGTH = 254;

function isEmail(text: string): boolean {
  return text.length <= MAILBOX_LENGTH && z.regexes.html5Email.test(text);
}

/** An enquiry, as it is sent. No members but these. */
export const LeadRequest = z.strictObject({
  email: z.string().refine(isEmail).meta({ format: "email" }),
  company: z.string().max(120),
  message: z.string().max(2000).optional(),
  plan: z.enum(["pro", "business", "enterprise", "hosted", "unspecified"]).optional(),
  locale: z.enum(["en", "de"]),
  website: z.string().max(0).optional().meta({
    description: "Honeypot: leave it out, or empty.",
  }),
}).meta({
  id: "LeadRequest",
  examples: [{
    email: "ada@example.com",
    company: "Example GmbH",
    message: "We would like to see the approvals at work.",
    plan: "enterprise",
    locale: "en",
  }],
});

/** A lead that is valid. */
export type LeadRequest = z.infer<typeof LeadRequest>;

/** What a sender is told of a lead that was taken. */
export const LeadResponse = z.strictObject({
  ok: z.boolean(),
  delivered: z.boolean().meta({
    description:
      "true: every target has acknowledged the lead. false: it is stored; delivery goes on.",
  }),
}).meta({ id: "LeadResponse", examples: [{ ok: true, delivered: true }] });

/** An answer that is valid. */
export type LeadResponse = z.infer<typeof LeadResponse>;

/** One way in which a body is not a LeadRequest. Holds nothing of what was sent. */
export interface LeadIssue {
  /** JSON Pointer (RFC 6901) to the member; empty for the body as a whole. */
  readonly path: string;
  /** The JSON Schema keyword that is not satisfied. */
  readonly rule: string;
  /** What the member has to be, in English. */
  readonly message: string;
}

/** Checks a parsed body: the lead, or every way in which it is none. */
export function parseLead(body: unknown): { lead: LeadRequest } | { issues: LeadIssue[] } {
  const parsed = LeadRequest.safeParse(body);
  if (parsed.success) return { lead: parsed.data };
  const issues = parsed.error.issues.map((issue) => describe(issue, body));
  // zod measures the length of an array too, where a string should be: the first issue says it.
  const first = new Map(issues.toReversed().map((issue) => [issue.path, issue]));
  return { issues: issues.filter((issue) => first.get(issue.path) === issue) };
}

function describe(issue: z.core.$ZodIssue, body: unknown): LeadIssue {
  const path = issue.path.map((part) => `/${String(part)}`).join("");
  switch (issue.code) {
    case "invalid_type":
      return isMissing(issue.path, body)
        ? { path, rule: "required", message: "This member is required." }
        : { path, rule: "type", message: `Must be of type ${issue.expected}.` };
    case "too_big":
      return Number(issue.maximum) === 0
        ? { path, rule: "maxLength", message: "Must be left out or empty." }
        : { path, rule: "maxLength", message: `Must have at most ${issue.maximum} characters.` };
    case "invalid_value":
      return isMissing(issue.path, body)
        ? { path, rule: "required", message: "This member is required." }
        : { path, rule: "enum", message: `Must be one of: ${issue.values.join(", ")}.` };
    case "unrecognized_keys": {
      const known = Object.keys(LeadRequest.shape).join(", ");
      return { path, rule: "additionalProperties", message: `Only these members exist: ${known}.` };
    }
    default: // the one check of our own, `isEmail`
      return { path, rule: "format", message: "Must be an email address." };
  }
}

/** zod reports a missing member like one of the wrong type: tell them apart by looking. */
function isMissing(path: PropertyKey[], body: unknown): boolean {
  const name = path[0];
  return name !== undefined && typeof body === "object" && body !== null &&
    !Object.hasOwn(body, name);
}
