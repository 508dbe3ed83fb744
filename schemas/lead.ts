/**
 * @module The lead that is taken and the answer to it (specification §2, LeadRequest, LeadResponse).
 *
 * Lengths count code points, as in JSON Schema and in zod from 4.6. `email` is checked against the
 * HTML Standard's expression (§4.10.5.1.5) and the mailbox limit of RFC 5321; a refinement, because
 * the published schema says `format: email` only.
 */

import { z } from "zod";
import { EMAIL } from "./values.ts";

const MAILBOX_LENGTH = 254;

function isEmail(text: string): boolean {
  return text.length <= MAILBOX_LENGTH && EMAIL.test(text);
}

/** An enquiry, as it is sent. No members but these. */
export const LeadRequest = z.strictObject({
  email: z.string().refine(isEmail).meta({ format: "email" }),
  company: z.string().max(120),
  message: z.string().max(2000).exactOptional(),
  plan: z.enum(["pro", "business", "enterprise", "hosted", "unspecified"]).exactOptional(),
  locale: z.enum(["en", "de"]),
  website: z.string().max(0).exactOptional().meta({
    description: "Honeypot: leave it out, or empty.",
  }),
}).meta({
  examples: [{
    email: "ada@example.com",
    company: "Example GmbH",
    message: "We would like to see the approvals at work.",
    plan: "enterprise",
    locale: "en",
  }],
});

/** A valid lead. */
export type LeadRequest = z.infer<typeof LeadRequest>;

/** What the sender is told of a lead that was taken. */
export const LeadResponse = z.strictObject({
  ok: z.boolean(),
  delivered: z.boolean().meta({
    description:
      "true: every target has acknowledged the lead. false: not all have yet, or there is none.",
  }),
}).meta({ examples: [{ ok: true, delivered: true }] });

/** A valid answer. */
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

/** Checks a parsed body: the lead, or what is wrong with it, at most one issue a member. */
export function parseLead(body: unknown): { lead: LeadRequest } | { issues: LeadIssue[] } {
  const { data, error } = LeadRequest.safeParse(body);
  if (error === undefined) return { lead: data };
  // zod measures an array, too, after it has found that it is no string.
  const issues = error.issues.filter(({ path: [member] }, at, all) =>
    at === all.findIndex(({ path }) => path[0] === member)
  );
  return { issues: issues.map((issue) => leadIssue(issue, body)) };
}

/** zod's own messages are not used: they name the unknown members, which are the caller's words. */
function leadIssue(issue: z.core.$ZodIssue, body: unknown): LeadIssue {
  const [member] = issue.path;
  if (member === undefined) return { path: "", ...brokenRule(issue) };
  const path = `/${String(member)}`;
  return Object.hasOwn(body as object, member)
    ? { path, ...brokenRule(issue) }
    : { path, rule: "required", message: "This member is required." };
}

/** The JSON Schema keyword for what zod found, and its meaning. */
function brokenRule(issue: z.core.$ZodIssue): Omit<LeadIssue, "path"> {
  switch (issue.code) {
    case "invalid_type":
      return { rule: "type", message: `Must be of type ${issue.expected}.` };
    case "invalid_value":
      return { rule: "enum", message: `Must be one of: ${issue.values.join(", ")}.` };
    case "too_big":
      return {
        rule: "maxLength",
        message: issue.maximum === 0
          ? "Must be left out or empty."
          : `Must have at most ${issue.maximum} characters.`,
      };
    case "unrecognized_keys":
      return {
        rule: "additionalProperties",
        message: `Only these members exist: ${Object.keys(LeadRequest.shape).join(", ")}.`,
      };
    default: // the refinement
      return { rule: "format", message: "Must be an email address." };
  }
}
