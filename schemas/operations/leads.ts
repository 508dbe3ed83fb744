/** @module Enquiries (specification §4): the operation that takes a lead. */

import { exampleIssues, LeadRequest, LeadResponse, TEST_LEADS } from "../lead.ts";
import type { HeaderName } from "../openapi_headers.ts";
import { METHOD_NOT_ALLOWED, type OperationGroup } from "./operation.ts";

/** Headers of every answer to a lead. */
const LIMITS: readonly HeaderName[] = [
  "RateLimit-Policy",
  "RateLimit",
  "Access-Control-Expose-Headers",
  "X-Request-Id",
];

export const LEAD_OPERATIONS: OperationGroup = {
  tag: "Leads",
  description: "Enquiries, which the API calls leads.",
  operations: () => [{
    method: "post",
    path: "/api/lead",
    operationId: "createLead",
    summary: "Send a lead",
    description: "Accepts an enquiry. Creates no tenant and is not a product signup. " +
      "A 200 means that the lead is stored or already delivered, or a test; after a 502, send it again. " +
      "The same lead within 24 hours is one lead. For tests, use an address under the reserved " +
      "top-level domain `.invalid`: the lead is fully validated but neither stored nor " +
      "delivered, and the response has `Lead-Test: ?1`. Requests are limited per client address; see the RateLimit headers.",
    requestBody: {
      description: "At most 64 KiB, sent within 10 seconds.",
      schema: LeadRequest.meta({ id: "LeadRequest" }),
      examples: TEST_LEADS,
    },
    responses: {
      200: {
        description:
          "The lead is accepted; `delivered` says whether every target has acknowledged it.",
        schema: LeadResponse.meta({ id: "LeadResponse" }),
        headers: ["Lead-Test", ...LIMITS],
        examples: {
          stored: { ok: true, delivered: false },
          delivered: { ok: true, delivered: true },
        },
      },
      400: {
        description: "The body is not a LeadRequest in JSON.",
        codes: [
          "invalid_json",
          "unsupported_media_type",
          "body_too_large",
          "body_too_slow",
          "invalid_lead",
        ],
        headers: LIMITS,
        details: { invalid_lead: exampleIssues() },
      },
      405: METHOD_NOT_ALLOWED,
      429: {
        description: "The client has used up one of its limits.",
        codes: ["rate_limited"],
        headers: ["Retry-After", ...LIMITS],
      },
      502: {
        description: "We could not confirm that the lead was stored or delivered. Send it again.",
        codes: ["lead_not_stored"],
        headers: LIMITS,
      },
    },
  }],
};
