/** @module The shape of every error under the API (specification §2, ApiError). */

import { z } from "zod";

/** An error: its code, what happened, what to do next and where to read more. */
export const ApiError = z.strictObject({
  error: z.strictObject({
    code: z.string().meta({ description: "Stable, machine-readable." }),
    message: z.string().meta({ description: "What happened, for people." }),
    hint: z.string().meta({
      description: "What to do next: valid methods, schema or discovery URLs.",
    }),
    docs: z.url().meta({ description: "The developer resources of this host." }),
    details: z.unknown().exactOptional().meta({
      description: "Structured details, such as the validation issues. Never what was sent.",
    }),
  }),
}).meta({
  examples: [{
    error: {
      code: "invalid_lead",
      message: "The body is not a valid LeadRequest.",
      hint: "Correct the members named in details.issues.",
      docs: "https://www.example.com/developers",
      details: { issues: [{ path: "/locale", rule: "enum", message: "Must be one of: en, de." }] },
    },
  }],
});

/** A valid error. */
export type ApiError = z.infer<typeof ApiError>;
