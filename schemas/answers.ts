/** @module The bodies of the API's answers (specification §2): Health, SiteIndex and ApiError. */

import { z } from "zod";
import { ERROR_CODES, errorBody } from "./error_codes.ts";

export const Health = z.strictObject({
  ok: z.boolean().meta({ description: "Always true." }),
  name: z.string().meta({ description: "The site's name." }),
  service: z.string().meta({ description: "The service's identifier." }),
  status: z.string().meta({ description: "A status word." }),
}).meta({
  examples: [{ ok: true, name: "Example", service: "example-frontdoor", status: "healthy" }],
});

export type Health = z.infer<typeof Health>;

/** What the site is and where its pages and documents are. */
export const SiteIndex = z.strictObject({
  name: z.string().meta({ description: "The site's name." }),
  url: z.url().meta({ description: "The home page." }),
  kind: z.string().meta({ description: "What kind of site this is." }),
  description: z.string().exactOptional().meta({ description: "What the site offers." }),
  resources: z.record(z.string(), z.string()).meta({
    description: "The URLs of public pages and discovery documents, by name.",
  }),
  productApi: z.looseObject({
    status: z.string().exactOptional().meta({ description: "A status word." }),
    note: z.string().exactOptional().meta({ description: "The status as a sentence." }),
  }).meta({ description: "States that the product API is not on this host." }),
}).meta({
  examples: [{
    name: "Example",
    url: "https://www.example.com",
    kind: "marketing-site",
    description: "What Example offers, and to whom.",
    resources: { home: "https://www.example.com/", llms: "https://www.example.com/llms.txt" },
    productApi: {
      status: "not-on-this-host",
      note: "The product API is a separate application that this host does not serve.",
    },
  }],
});

export type SiteIndex = z.infer<typeof SiteIndex>;

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
    docs: z.url().meta({ description: "The developer resources of this host." }),
    details: z.unknown().exactOptional().meta({
      description: "Structured details, such as validation issues. Never repeats what was sent.",
    }),
  }).meta({ description: "The error." }),
}).meta({
  examples: [errorBody("invalid_lead", {
    siteUrl: "https://www.example.com",
    details: { issues: [{ path: "/locale", rule: "enum", message: "Must be one of: en, de." }] },
  })],
});

export type ApiError = z.infer<typeof ApiError>;
