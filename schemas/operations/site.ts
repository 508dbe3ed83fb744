/** @module What this host is and whether it is up (specification §2, §4): health and the site index. */

import { z } from "zod";
import { CACHED_HEADERS } from "../openapi_headers.ts";
import { METHOD_NOT_ALLOWED, type OperationGroup } from "./operation.ts";

export const Health = z.strictObject({
  ok: z.boolean().meta({ description: "Always true." }),
  name: z.string().meta({ description: "The site's name." }),
  service: z.string().meta({ description: "The service's identifier." }),
  status: z.string().meta({ description: "Always `healthy`." }),
}).meta({
  id: "Health",
  examples: [{ ok: true, name: "Example", service: "example-frontdoor", status: "healthy" }],
});

export type Health = z.infer<typeof Health>;

/** What the site is and where its pages and documents are. */
export const SiteIndex = z.strictObject({
  name: z.string().meta({ description: "The site's name." }),
  url: z.url().meta({ description: "The home page." }),
  kind: z.string().meta({ description: "Always `marketing-site`." }),
  description: z.string().exactOptional().meta({ description: "What the site offers." }),
  resources: z.record(z.string(), z.string()).meta({
    description: "The URLs of public pages and discovery documents, by name.",
  }),
  productApi: z.looseObject({
    status: z.string().exactOptional().meta({ description: "Always `not-on-this-host`." }),
    note: z.string().exactOptional().meta({ description: "The same in a sentence." }),
  }).meta({ description: "States that the product API is not on this host." }),
}).meta({
  id: "SiteIndex",
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

export const SITE_OPERATIONS: OperationGroup = {
  tag: "Site",
  description: "What this host is and whether it is up.",
  operations: ({ siteName, serviceId, siteUrl }) => [{
    method: "get",
    path: "/api/health",
    operationId: "getHealth",
    summary: "Liveness probe",
    description: "Responds as long as the process runs. Returns no product data.",
    responses: {
      200: {
        description: "The service is up.",
        schema: Health,
        examples: { healthy: { ok: true, name: siteName, service: serviceId, status: "healthy" } },
      },
      405: METHOD_NOT_ALLOWED,
    },
  }, {
    method: "get",
    path: "/api/site",
    operationId: "getSiteIndex",
    summary: "Site index",
    description: "Returns the brand, public pages and discovery documents, and states that " +
      "the product API is not on this host.",
    responses: {
      200: {
        description: "The site index.",
        schema: SiteIndex,
        headers: CACHED_HEADERS,
        examples: {
          abridged: {
            name: siteName,
            url: siteUrl,
            kind: "marketing-site",
            resources: { home: `${siteUrl}/`, llms: `${siteUrl}/llms.txt` },
            productApi: { status: "not-on-this-host" },
          },
        },
      },
      405: METHOD_NOT_ALLOWED,
    },
  }],
};
