/** @module The read model of the site (specification §2, SiteIndex). */

import type { Schema, TypeOf } from "./schema.ts";

/** What the site is and where its pages and documents are. */
export const SiteIndex = {
  type: "object",
  properties: {
    name: { type: "string" },
    url: { type: "string", format: "uri" },
    kind: { type: "string", description: "What kind of site this is." },
    description: { type: "string" },
    resources: {
      type: "object",
      propertyNames: { type: "string" },
      additionalProperties: { type: "string" },
      description: "Public pages and discovery documents: name to URL.",
    },
    productApi: {
      type: "object",
      properties: { status: { type: "string" }, note: { type: "string" } },
      additionalProperties: {},
      description: "States that the product API is not on this host.",
    },
  },
  required: ["name", "url", "kind", "resources", "productApi"],
  additionalProperties: false,
  examples: [{
    name: "Example",
    url: "https://www.example.com",
    kind: "marketing-site",
    description: "Marketing and discovery site of an enterprise AI agent platform.",
    resources: { home: "https://www.example.com/", llms: "https://www.example.com/llms.txt" },
    productApi: {
      status: "not-on-this-host",
      note: "The product API is a separate application that this host does not serve.",
    },
  }],
} as const satisfies Schema;

/** A site index that is valid. */
export type SiteIndex = TypeOf<typeof SiteIndex>;
