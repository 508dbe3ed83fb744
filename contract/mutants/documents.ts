/** @module Faults in the document: the service is as it was, and what it says of itself is not. */

import { parse } from "yaml";
import { type AnyJson, LEAD, type Mutant, on, type Spoil } from "./mutant.ts";

/** Changes the document in both notations. */
function changed(change: (document: AnyJson) => void): Spoil {
  return (reply, { path }) => {
    const isDocument = path === "/openapi.json" || path === "/api/openapi.yaml";
    if (!isDocument || reply.status !== 200 || reply.body === "") return reply;
    // JSON is YAML: either notation can be read as YAML, and what is written is both.
    const document = parse(reply.body);
    change(document);
    return { ...reply, body: JSON.stringify(document) };
  };
}

/** What a document says wrongly of a service that is right. */
export const DOCUMENTS: readonly Mutant[] = [
  {
    name: "yaml-one-number",
    fault: "the document in YAML differs in one number",
    breaks: "document",
    check: "json_equals_yaml",
    reply: on("/api/openapi.yaml", (reply) => ({
      ...reply,
      body: reply.body.replace("maxLength: 120", "maxLength: 121"),
    })),
  },
  {
    name: "schema-121",
    fault: "the document allows a company of 121 characters",
    breaks: "document",
    reply: changed(({ components }) =>
      components.schemas.LeadRequest.properties.company.maxLength++
    ),
  },
  {
    name: "schema-plan-free",
    fault: "the document has a plan that the service refuses",
    breaks: "document",
    reply: changed(({ components }) =>
      components.schemas.LeadRequest.properties.plan.enum.push("free")
    ),
  },
  {
    name: "schema-open",
    fault: "the document allows additional members in a lead",
    breaks: "document",
    reply: changed(({ components }) => delete components.schemas.LeadRequest.additionalProperties),
  },
  {
    name: "schema-company-optional",
    fault: "the document does not require the company",
    breaks: "document",
    reply: changed(({ components }) =>
      components.schemas.LeadRequest.required = ["email", "locale"]
    ),
  },
  {
    name: "schema-health-status-number",
    fault: "the document says that `status` is a number",
    breaks: "document",
    reply: changed(({ components }) => components.schemas.Health.properties.status.type = "number"),
  },
  {
    name: "response-502-missing",
    fault: "the document does not list 502",
    breaks: "document",
    reply: changed(({ paths }) => delete paths[LEAD].post.responses["502"]),
  },
  {
    name: "response-405-missing",
    fault: "the document does not list 405 of one operation",
    breaks: "document",
    reply: changed(({ paths }) => delete paths["/api/health"].get.responses["405"]),
  },
  {
    name: "response-204-added",
    fault: "the document lists a status that never comes",
    breaks: "document",
    by: "matrix",
    check: "completeness",
    reply: changed(({ paths }) =>
      paths["/api/site"].get.responses["204"] = { description: "Nothing." }
    ),
  },
  {
    name: "operation-missing",
    fault: "the document lacks an operation",
    breaks: "document",
    reply: changed(({ paths }) => delete paths["/api/openapi.yaml"]),
  },
  {
    name: "operation-renamed",
    fault: "an operation has another id",
    breaks: "document",
    reply: changed(({ paths }) => paths["/api/health"].get.operationId = "health"),
  },
  {
    name: "security-required",
    fault: "an operation is said to need a key",
    breaks: "document",
    reply: changed(({ paths }) => paths[LEAD].post.security = [{ key: [] }]),
  },
  {
    name: "version-changed",
    fault: "the document has another version",
    breaks: "document",
    check: "specification",
    reply: changed(({ info }) => info.version = "1.0.1"),
  },
  {
    name: "example-wrong",
    fault: "an example does not fit its schema",
    breaks: "document",
    check: "document_examples",
    reply: changed(({ components }) => components.schemas.LeadRequest.examples[0].locale = "fr"),
  },
  {
    name: "header-not-sent",
    fault: "the document promises a header that is not sent",
    breaks: "document",
    check: "response_headers",
    reply: changed(({ paths }) =>
      paths["/api/health"].get.responses["200"].headers["X-Version"] = {
        required: true,
        schema: { type: "string" },
      }
    ),
  },
  {
    name: "document-invalid",
    fault: "the document is no valid OpenAPI document",
    breaks: "document",
    check: "document_valid",
    reply: changed(({ info }) => delete info.title),
  },
  {
    name: "header-example-wrong",
    fault: "the example of a header does not fit its schema",
    breaks: "document",
    reply: changed(({ components }) => components.headers["Retry-After"].example = "soon"),
  },
  {
    name: "body-optional",
    fault: "the body of a lead is said to be optional",
    breaks: "document",
    reply: changed(({ paths }) => delete paths[LEAD].post.requestBody.required),
  },
  {
    name: "keyword-unknown",
    fault: "the document has a rule for a lead that the specification has not",
    breaks: "document",
    check: "schema_unknown",
    reply: changed(({ components }) =>
      components.schemas.LeadRequest.properties.company.not = { const: "contract" }
    ),
  },
  {
    name: "format-missing",
    fault: "the document does not say that an address is one",
    breaks: "document",
    reply: changed(({ components }) =>
      delete components.schemas.LeadRequest.properties.email.format
    ),
  },
  {
    name: "operation-added",
    fault: "the document has an operation that is not there",
    breaks: "document",
    reply: changed(({ paths }) =>
      paths["/api/status"] = {
        get: {
          operationId: "getStatus",
          security: [],
          responses: { "200": { description: "The status." } },
        },
      }
    ),
  },
];
