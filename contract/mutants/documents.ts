/** @module Faults in the document, and successful responses that do not fit it. */

import { parse } from "yaml";
import {
  type AnyJson,
  becomes,
  body,
  header,
  json,
  LEAD,
  type Mutant,
  mutantsOf,
  on,
  type Spoil,
  to,
  when,
} from "./mutant.ts";

const HEALTH = "/api/health";
const SITE = "/api/site";
const YAML = "/api/openapi.yaml";

/** Changes the document in both notations. */
function document(edit: (document: AnyJson) => unknown): Spoil {
  return (reply, { path }) => {
    const isDocument = path === "/openapi.json" || path === YAML;
    if (!isDocument || reply.status !== 200 || reply.body === "") return reply;
    // JSON is YAML: either notation can be read as YAML, and JSON is valid in both.
    const value = parse(reply.body);
    edit(value);
    return { ...reply, body: JSON.stringify(value) };
  };
}

/** Changes the schema of a lead in the document. */
const leadSchema = (edit: (schema: AnyJson) => unknown) =>
  document(({ components }) => edit(components.schemas.LeadRequest));

const onSuccess = (path: string, spoil: Spoil) => on(path, when(200, spoil));

/** Documents that describe the service wrongly, and responses that the document does not describe. */
export const DOCUMENTS: readonly Mutant[] = [
  ...mutantsOf({ breaks: "document" }, {
    "yaml-one-number": [
      "the document in YAML differs in one number",
      on(YAML, body((text) => text.replace("maxLength: 120", "maxLength: 121"))),
      "json_equals_yaml",
    ],
    "schema-121": [
      "the document allows a company of 121 characters",
      leadSchema(({ properties }) => properties.company.maxLength++),
    ],
    "schema-plan-free": [
      "the document has a plan that the service refuses",
      leadSchema(({ properties }) => properties.plan.enum.push("free")),
    ],
    "schema-open": [
      "the document allows additional members in a lead",
      leadSchema((schema) => delete schema.additionalProperties),
    ],
    "schema-company-optional": [
      "the document does not require the company",
      leadSchema((schema) => schema.required = ["email", "locale"]),
    ],
    "format-missing": [
      "the document does not give the format of an address",
      leadSchema(({ properties }) => delete properties.email.format),
    ],
    "keyword-unknown": [
      "the document has a rule for leads that the specification does not have",
      leadSchema(({ properties }) => properties.company.not = { const: "contract" }),
      "schema_unknown",
    ],
    "example-wrong": [
      "an example does not fit its schema",
      leadSchema(({ examples }) => examples[0].locale = "fr"),
      "document_examples",
    ],
    "schema-health-status-number": [
      "the document declares `status` a number",
      document(({ components }) => components.schemas.Health.properties.status.type = "number"),
    ],
    "response-502-missing": [
      "the document does not list 502",
      document(({ paths }) => delete paths[LEAD].post.responses["502"]),
    ],
    "response-405-missing": [
      "the document does not list 405 of one operation",
      document(({ paths }) => delete paths[HEALTH].get.responses["405"]),
    ],
    "operation-missing": [
      "the document lacks an operation",
      document(({ paths }) => delete paths[YAML]),
    ],
    "operation-renamed": [
      "an operation has another id",
      document(({ paths }) => paths[HEALTH].get.operationId = "health"),
    ],
    "operation-added": [
      "the document has an operation that the service does not have",
      document(({ paths }) =>
        paths["/api/status"] = {
          get: {
            operationId: "getStatus",
            security: [],
            responses: { "200": { description: "The status." } },
          },
        }
      ),
    ],
    "security-required": [
      "the document requires a key for an operation",
      document(({ paths }) => paths[LEAD].post.security = [{ key: [] }]),
    ],
    "version-changed": [
      "the document has another version",
      document(({ info }) => info.version = "1.0.1"),
      "specification",
    ],
    "header-not-sent": [
      "the document promises a header that is not sent",
      document(({ paths }) =>
        paths[HEALTH].get.responses["200"].headers["X-Version"] = {
          required: true,
          schema: { type: "string" },
        }
      ),
      "response_headers",
    ],
    "header-example-wrong": [
      "the example of a header does not fit its schema",
      document(({ components }) => components.headers["Retry-After"].example = "soon"),
    ],
    "document-invalid": [
      "the document is not a valid OpenAPI document",
      document(({ info }) => delete info.title),
      "document_valid",
    ],
    "body-optional": [
      "the document makes the body of a lead optional",
      document(({ paths }) => delete paths[LEAD].post.requestBody.required),
    ],
    "yaml-malformed": [
      "the YAML document is malformed",
      onSuccess(YAML, body((text) => `${text}\n\t- [`)),
    ],
    "yaml-as-json-type": [
      "the YAML document is sent as text/yaml",
      onSuccess(YAML, header("content-type", "text/yaml")),
    ],
    "answer-breaks-off": [
      "the YAML document breaks off",
      onSuccess(YAML, to("GET", (reply) => ({ ...reply, cut: 2_000 }))),
    ],
    "health-ok-string": [
      "`ok` of the health response is a string",
      onSuccess(HEALTH, json((value) => value.ok = "true")),
      "body_schema",
    ],
    "health-not-ok": [
      "the liveness probe is not ok, with 200",
      onSuccess(HEALTH, json((value) => value.ok = false)),
    ],
    "health-extra-member": [
      "the health response has an additional member",
      onSuccess(HEALTH, json((value) => value.uptime = 12)),
    ],
    "health-without-status": [
      "the health response lacks `status`",
      onSuccess(HEALTH, json((value) => delete value.status)),
    ],
    "health-503": [
      "the liveness probe is answered 503",
      onSuccess(HEALTH, becomes(503)),
      "positive_acceptance",
    ],
    "site-url-relative": [
      "the site index has a relative `url`",
      onSuccess(SITE, json((value) => value.url = "/")),
    ],
    "site-resource-number": [
      "a resource of the site index is a number",
      onSuccess(SITE, json((value) => value.resources.home = 1)),
    ],
    "site-without-product-api": [
      "the site index does not name the product API",
      on(SITE, json((value) => delete value.productApi)),
    ],
    "site-as-text": [
      "the site index is sent as text/plain",
      onSuccess(SITE, header("content-type", "text/plain")),
      "media_type",
    ],
    "delivered-string": [
      "`delivered` is a string",
      onSuccess(LEAD, json((value) => value.delivered = "false")),
    ],
    "lead-answer-id": [
      "the response to a lead has an additional member",
      onSuccess(LEAD, json((value) => value.id = "018f")),
    ],
  }),
  ...mutantsOf({ breaks: "document", by: "matrix" }, {
    "response-204-added": [
      "the document lists a status that is never sent",
      document(({ paths }) => paths[SITE].get.responses["204"] = { description: "Nothing." }),
      "completeness",
    ],
  }),
];
