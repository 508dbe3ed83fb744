/** @module The shape of every error under the API (specification §2, ApiError). */

import type { Schema, TypeOf } from "./schema.ts";

/** An error: its code, what happened, what to do next and where to read more. */
export const ApiError = {
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: {
        code: { type: "string", description: "Stable, machine-readable." },
        message: { type: "string", description: "What happened, for people." },
        hint: {
          type: "string",
          description: "What to do next: valid methods, schema or discovery URLs.",
        },
        docs: {
          type: "string",
          format: "uri",
          description: "The developer resources of this host.",
        },
        details: {
          description: "Structured details, such as the validation issues. Never what was sent.",
        },
      },
      required: ["code", "message", "hint", "docs"],
      additionalProperties: false,
    },
  },
  required: ["error"],
  additionalProperties: false,
  examples: [{
    error: {
      code: "invalid_lead",
      message: "The body is not a valid LeadRequest.",
      hint: "Correct the members named in details.issues.",
      docs: "https://www.example.com/developers",
      details: {
        issues: [{ path: "/locale", rule: "enum", message: "Must be one of: en, de." }],
      },
    },
  }],
} as const satisfies Schema;

/** An error that is valid. */
export type ApiError = TypeOf<typeof ApiError>;
