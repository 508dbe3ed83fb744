/** @module The body of every error of the API (specification §2, §7). */

import { z } from "zod";
import { ERROR_CODES, errorBody } from "./error_codes.ts";

/** A list in CommonMark. */
const MEANINGS = Object.entries(ERROR_CODES)
  .map(([code, { status, message }]) => `- \`${code}\` (${status}): ${message}`)
  .join("\n");

/** An error: its code, what happened, what to do next and where to read more. */
export const ApiError = z.strictObject({
  error: z.strictObject({
    code: z.string().meta({
      description: `Stable and machine-readable. New codes may be added.\n\n${MEANINGS}`,
    }),
    message: z.string().meta({ description: "What happened, in words." }),
    hint: z.string().meta({
      description: "What to do next: valid methods, schema or discovery URLs.",
    }),
    docs: z.url().meta({
      description: "The developer resources of this host, where this error is explained.",
    }),
    details: z.unknown().exactOptional().meta({
      description: "Structured details, such as validation issues. Never repeats what was sent.",
    }),
  }).meta({ description: "What went wrong, for programs and people." }),
}).meta({
  id: "ApiError",
  examples: [errorBody("invalid_lead", {
    siteUrl: "https://www.example.com",
    details: { issues: [{ path: "/locale", rule: "enum", message: "Must be one of: en, de." }] },
  })],
});

export type ApiError = z.infer<typeof ApiError>;
