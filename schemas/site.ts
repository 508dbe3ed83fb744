/** @module Health and SiteIndex (specification §2). */

import { z } from "zod";

/** The answer of the liveness probe. */
export const Health = z.strictObject({
  ok: z.boolean(),
  name: z.string().meta({ description: "The site's name." }),
  service: z.string().meta({ description: "The service's identifier." }),
  status: z.string().meta({ description: "A status word." }),
}).meta({
  examples: [{ ok: true, name: "Example", service: "example-frontdoor", status: "healthy" }],
});

export type Health = z.infer<typeof Health>;

/** What the site is and where its pages and documents are. */
export const SiteIndex = z.strictObject({
  name: z.string(),
  url: z.url(),
  kind: z.string().meta({ description: "What kind of site this is." }),
  description: z.string().exactOptional(),
  resources: z.record(z.string(), z.string()).meta({
    description: "Public pages and discovery documents: name to URL.",
  }),
  productApi: z.looseObject({
    status: z.string().exactOptional(),
    note: z.string().exactOptional(),
  }).meta({ description: "States that the product API is not on this host." }),
}).meta({
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
});

export type SiteIndex = z.infer<typeof SiteIndex>;
