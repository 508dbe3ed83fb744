/**
 * @module LeadRequest and LeadResponse (specification §2).
 *
 * Lengths count code points, as in JSON Schema and in zod from 4.6. `email` is a refinement, because
 * the published schema says `format: email` only.
 */

import { z } from "zod";
import en from "../static/words/en.json" with { type: "json" };
import { LEAD_FIELDS, type LeadFieldName, type LeadRules } from "./lead_fields.ts";

/** A field without a label fails the type check here. */
const LABELS: Readonly<Record<LeadFieldName, string>> = en.form.labels;

const rules = LEAD_FIELDS.map(([name, { rule }]) =>
  [name, rule.description ? rule : rule.meta({ description: LABELS[name] })] as const
);

const example = LEAD_FIELDS.flatMap(([name, { example }]) => example ? [[name, example]] : []);

export const LeadRequest = z.strictObject(Object.fromEntries(rules) as LeadRules)
  .meta({ examples: [Object.fromEntries(example)] });

export type LeadRequest = z.infer<typeof LeadRequest>;

/** What the document publishes of a field, beside its type. */
interface PublishedRule {
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
}

const { properties = {}, required = [] } = z.toJSONSchema(LeadRequest, { unrepresentable: "any" });

/** Each field's published rule by name. */
export const LEAD_RULES = properties as Readonly<Record<string, PublishedRule>>;

/** Members that no person fills in, as JSON Pointers. */
const HONEYPOTS = LEAD_FIELDS.filter(([, { control }]) => control.kind === "honeypot")
  .map(([name]) => `/${name}`);

/** Why a body was refused, as it is counted. */
export function refusalOf(issues: readonly LeadIssue[]): "honeypot" | "invalid_lead" {
  return issues.some(({ path }) => HONEYPOTS.includes(path)) ? "honeypot" : "invalid_lead";
}

/** Whether a field has one of a few values. */
export function isChoice(name: string): boolean {
  return LEAD_RULES[name]?.enum !== undefined;
}

export function isRequired(name: string): boolean {
  return required.includes(name);
}

/** Whether a field must be there but may be empty, so that people need not fill it in. */
export function mayBeBlank(name: string): boolean {
  const rule = LEAD_FIELDS.find(([known]) => known === name)?.[1].rule;
  return isRequired(name) && rule?.safeParse("").success === true;
}

/** Whether people have to fill a field in. */
export function mustBeFilled(name: string): boolean {
  return isRequired(name) && !mayBeBlank(name);
}

/** Examples of the request; under `.invalid`, so that a lead that was copied reaches nobody. */
export const TEST_LEADS: Readonly<Record<"complete" | "minimal", LeadRequest>> = {
  complete: Object.fromEntries(example),
  minimal: Object.fromEntries(example.filter(([name = ""]) => isRequired(name))),
};

export const LeadResponse = z.strictObject({
  ok: z.boolean().meta({ description: "Always true." }),
  delivered: z.boolean().meta({
    description:
      "true if every target has acknowledged the lead; false if not all have yet, none is set up, " +
      "or it was a test.",
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

/** With the error of zod that is no `Error`: its stack trace took half of the time of a refusal here. */
const safeParse = z.core._safeParse(z.core.$ZodError);

/** Validates a parsed body: the lead, or its issues, at most one for each member. */
export function parseLead(body: unknown): { lead: LeadRequest } | { issues: LeadIssue[] } {
  const { data, error } = safeParse(LeadRequest, body);
  if (error === undefined) return { lead: data };
  // zod also checks the length of an array that it has already rejected as no string.
  const issues = error.issues.filter(({ path: [member] }, at, all) =>
    at === all.findIndex(({ path }) => path[0] === member)
  );
  return {
    issues: issues.map((issue) => {
      const [member] = issue.path;
      const path = member === undefined ? "" : `/${String(member)}`;
      return member === undefined || Object.hasOwn(body as object, member)
        ? { path, ...brokenRule(issue) }
        : { path, rule: "required", message: "This field is required." };
    }),
  };
}

/** What the documentation shows as the details of `invalid_lead`. */
export function exampleIssues(): ReturnType<typeof parseLead> {
  return parseLead({ email: "ada", company: "Example Ltd", locale: "xx" });
}

/**
 * The JSON Schema keyword and the message for an issue of zod, whose own messages quote unknown members,
 * which the client wrote.
 */
function brokenRule(issue: z.core.$ZodIssue): Omit<LeadIssue, "path"> {
  switch (issue.code) {
    case "invalid_type":
      return { rule: "type", message: `Must be of type ${issue.expected}.` };
    case "invalid_value":
      return { rule: "enum", message: `Must be one of: ${issue.values.join(", ")}.` };
    case "too_big":
      if (issue.maximum === 0) return { rule: "maxLength", message: "Must be left out or empty." };
      return { rule: "maxLength", message: `Must have at most ${issue.maximum} characters.` };
    case "unrecognized_keys":
      return {
        rule: "additionalProperties",
        message: `Only these fields are allowed: ${Object.keys(LeadRequest.shape).join(", ")}.`,
      };
    case "too_small":
      return { rule: "minLength", message: `Must have at least ${issue.minimum} characters.` };
    case "invalid_format":
      return {
        rule: issue.format === "regex" ? "pattern" : "format",
        message: "Must have the form that the schema says.",
      };
    default: // a refinement, whose text is that of its row
      return { rule: "format", message: issue.message };
  }
}
