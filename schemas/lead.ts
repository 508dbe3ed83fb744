/**
 * @module LeadRequest and LeadResponse (specification §2).
 *
 * Lengths count code points, as in JSON Schema and in zod from 4.6. `email` is a refinement, because
 * the published schema says `format: email` only.
 */

import { z } from "zod";
import { isEmail } from "./email.ts";
import { SITE } from "./site_data.ts";

export const LeadRequest = z.strictObject({
  email: z.string().refine(isEmail).meta({ format: "email", description: "Where to reply." }),
  company: z.string().max(120).meta({ description: "The company that is asking; may be empty." }),
  message: z.string().max(2000).exactOptional().meta({ description: "What the enquiry is about." }),
  plan: z.enum([...SITE.plans, "unspecified"]).exactOptional().meta({
    description: "The plan of interest; `unspecified` if undecided.",
  }),
  locale: z.enum(SITE.languages).meta({ description: "The language to reply in." }),
  website: z.string().max(0).exactOptional().meta({
    description: "A honeypot. Leave it out or empty.",
  }),
}).meta({
  examples: [{
    email: "ada@example.com",
    company: "Example GmbH",
    message: "We would like to see a demonstration.",
    plan: "enterprise",
    locale: "en",
  }],
});

export type LeadRequest = z.infer<typeof LeadRequest>;

/** Examples of the request; under `.invalid`, so that a lead that was copied reaches nobody. */
export const TEST_LEADS = {
  complete: {
    email: "ada@example.invalid",
    company: "Example Ltd",
    message: "We would like to see a demonstration.",
    plan: "business",
    locale: "en",
  },
  minimal: { email: "ada@example.invalid", company: "Example Ltd", locale: "en" },
} satisfies Record<string, LeadRequest>;

export const LeadResponse = z.strictObject({
  ok: z.boolean().meta({ description: "Always true." }),
  delivered: z.boolean().meta({
    description:
      "true if every target has acknowledged the lead; false if not all have yet, or none is set up.",
  }),
}).meta({ examples: [{ ok: true, delivered: true }] });

export type LeadResponse = z.infer<typeof LeadResponse>;

/** Why a body is not a LeadRequest. Never quotes the body. */
export interface LeadIssue {
  /** JSON Pointer (RFC 6901) to the member; empty for the body as a whole. */
  readonly path: string;
  /** The JSON Schema keyword that is not satisfied. */
  readonly rule: string;
  /** What the member must be, in English. */
  readonly message: string;
}

/** Validates a parsed body: the lead, or its issues, at most one for each member. */
export function parseLead(body: unknown): { lead: LeadRequest } | { issues: LeadIssue[] } {
  const { data, error } = LeadRequest.safeParse(body);
  if (error === undefined) return { lead: data };
  // zod also checks the length of an array that it has already rejected as no string.
  const issues = error.issues.filter(({ path: [member] }, at, all) =>
    at === all.findIndex(({ path }) => path[0] === member)
  );
  return { issues: issues.map((issue) => leadIssue(issue, body)) };
}

/** zod's own messages are not used: they quote unknown members, which the client wrote. */
function leadIssue(issue: z.core.$ZodIssue, body: unknown): LeadIssue {
  const [member] = issue.path;
  if (member === undefined) return { path: "", ...brokenRule(issue) };
  const path = `/${String(member)}`;
  return Object.hasOwn(body as object, member)
    ? { path, ...brokenRule(issue) }
    : { path, rule: "required", message: "This field is required." };
}

/** The JSON Schema keyword and the message for an issue of zod. */
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
        message: `Only these fields are allowed: ${Object.keys(LeadRequest.shape).join(", ")}.`,
      };
    default: // the refinement
      return { rule: "format", message: "Must be an email address." };
  }
}
