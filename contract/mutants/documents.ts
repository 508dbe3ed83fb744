/** @module Faults in the document, and successful responses that do not fit it. */

import { parse } from "yaml";
import {
  type AnyJson,
  becomes,
  body,
  header,
  json,
  LEAD,
  on,
  onLead,
  to,
  when,
} from "./changes.ts";
import type { MutantTable, Mutation } from "./mutant.ts";

const HEALTH = "/api/health";
const SITE = "/api/site";
const YAML = "/api/openapi.yaml";

/** Changes the document in JSON and YAML. */
function document(edit: (document: AnyJson) => unknown): Mutation {
  return (reply, { path }) => {
    const isDocument = path === "/openapi.json" || path === YAML;
    if (!isDocument || reply.status !== 200 || reply.body === "") return reply;
    // JSON is YAML.
    const value = parse(reply.body);
    edit(value);
    return { ...reply, body: JSON.stringify(value) };
  };
}

/** Changes the schema of a lead in the document. */
const leadSchema = (edit: (schema: AnyJson) => unknown) =>
  document(({ components }) => edit(components.schemas.LeadRequest));

const onSuccess = (path: string, mutation: Mutation) => on(path, when(200, mutation));

/** Documents that describe the service wrongly, and undocumented answers. */
export const DOCUMENTS: MutantTable = {
  "the document in YAML differs in one number": [
    on(YAML, body((text) => text.replace("maxLength: 120", "maxLength: 121"))),
    "json_equals_yaml",
  ],
  "the document allows a company of 121 characters": leadSchema(({ properties }) =>
    properties.company.maxLength++
  ),
  "the document has a plan that the service refuses": leadSchema(({ properties }) =>
    properties.plan.enum.push("free")
  ),
  "the document allows additional members in a lead": leadSchema((schema) =>
    delete schema.additionalProperties
  ),
  "the document does not require the company": leadSchema((schema) =>
    schema.required = ["email", "locale"]
  ),
  "the document does not give the format of an address": leadSchema(({ properties }) =>
    delete properties.email.format
  ),
  "the document has a rule for leads that the specification does not have": [
    leadSchema(({ properties }) => properties.company.not = { const: "contract" }),
    "schema_unknown",
  ],
  "an example does not fit its schema": [
    leadSchema(({ examples }) => examples[0].locale = "fr"),
    "document_examples",
  ],
  "an example of a request does not fit its schema": [
    document(({ paths }) =>
      paths[LEAD].post.requestBody.content["application/json"].examples.minimal.value.locale = "fr"
    ),
    "document_examples",
  ],
  "the document declares `status` a number": document(({ components }) =>
    components.schemas.Health.properties.status.type = "number"
  ),
  "the document does not list 502": document(({ paths }) =>
    delete paths[LEAD].post.responses["502"]
  ),
  "the document does not list 405 of one operation": document(({ paths }) =>
    delete paths[HEALTH].get.responses["405"]
  ),
  "the document lacks an operation": document(({ paths }) => delete paths[YAML]),
  "an operation has another id": document(({ paths }) => paths[HEALTH].get.operationId = "health"),
  "the document has an operation that the service does not have": document(({ paths }) =>
    paths["/api/status"] = {
      get: {
        operationId: "getStatus",
        security: [],
        responses: { "200": { description: "The status." } },
      },
    }
  ),
  "the document has a query parameter that the service ignores": [
    document(({ paths }) => {
      const schema = { type: "integer", maximum: 9 };
      paths[SITE].get.parameters = [{ name: "limit", in: "query", schema }];
    }),
    "broken_refused",
  ],
  "the document requires a key for an operation": document(({ paths }) =>
    paths[LEAD].post.security = [{ key: [] }]
  ),
  "the document has another version": [
    document(({ info }) => info.version = "1.0.1"),
    "specification",
  ],
  "the document promises a header that is not sent": [
    document(({ paths }) =>
      paths[HEALTH].get.responses["200"].headers["X-Version"] = {
        required: true,
        schema: { type: "string" },
      }
    ),
    "response_headers",
  ],
  "the example of a header does not fit its schema": document(({ components }) =>
    components.headers["Retry-After"].example = "soon"
  ),
  "the document is not a valid OpenAPI document": [
    document(({ info }) => delete info.title),
    "document_valid",
  ],
  "the document makes the body of a lead optional": document(({ paths }) =>
    delete paths[LEAD].post.requestBody.required
  ),
  "the YAML document is malformed": onSuccess(YAML, body((text) => `${text}\n\t- [`)),
  "the YAML document is sent as text/yaml": onSuccess(YAML, header("content-type", "text/yaml")),
  "the YAML document breaks off": onSuccess(
    YAML,
    to("GET", (reply) => ({ ...reply, cut: 2_000 })),
  ),
  "`ok` of the health response is a string": [
    onSuccess(HEALTH, json((value) => value.ok = "true")),
    "body_schema",
  ],
  "the liveness probe is not ok, with 200": onSuccess(HEALTH, json((value) => value.ok = false)),
  "the health response has an additional member": onSuccess(
    HEALTH,
    json((value) => value.uptime = 12),
  ),
  "the health response lacks `status`": onSuccess(HEALTH, json((value) => delete value.status)),
  "the liveness probe is answered 503": [onSuccess(HEALTH, becomes(503)), "positive_acceptance"],
  "the site index has a relative `url`": onSuccess(SITE, json((value) => value.url = "/")),
  "a resource of the site index is a number": onSuccess(
    SITE,
    json((value) => value.resources.home = 1),
  ),
  "the site index does not name the product API": on(
    SITE,
    json((value) => delete value.productApi),
  ),
  "the site index is sent as text/plain": [
    onSuccess(SITE, header("content-type", "text/plain")),
    "media_type",
  ],
  "`delivered` is a string": onSuccess(LEAD, json((value) => value.delivered = "false")),
  "the response to a lead has an additional member": onSuccess(
    LEAD,
    json((value) => value.id = "018f"),
  ),

  "an accepted lead is answered with ok: false": [
    onLead(when(200, body((text) => text.replace('"ok":true', '"ok":false')))),
    "success_says",
  ],
};

/** Faults that only a run of all tiers can find. */
export const COMPLETENESS: MutantTable = {
  "the document lists a status that is never sent": [
    document(({ paths }) => paths[SITE].get.responses["204"] = { description: "Nothing." }),
    "completeness",
  ],
};
