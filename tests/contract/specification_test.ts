/** @module How a document deviates from the specification, a fragment of an OpenAPI document. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { readDocument } from "../../contract/document/read.ts";
import { deviations, type Specification } from "../../contract/document/specification.ts";

const seats = { type: "integer", minimum: 1 };
const PART = { type: "object", additionalProperties: false, properties: { seats } };
const PLAN = {
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties: { name: { type: "string", maxLength: 9 }, parts: { type: "array", items: PART } },
};
const content = { "application/json": { schema: { $ref: "#/components/schemas/Plan" } } };
const PLANS = {
  operationId: "listPlans",
  security: [],
  parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 50 } }],
  responses: { "200": { content } },
};
const SPECIFICATION = {
  info: { version: "1.0.0" },
  paths: { "/plans": { get: PLANS } },
  components: { schemas: { Plan: PLAN } },
};

// deno-lint-ignore no-explicit-any -- edits a document of any shape
type Edit = (document: any) => unknown;

/** The deviations of a document that has more than the specification says, after an edit. */
function found(edit: Edit, choices: readonly string[] = []): string[] {
  const document = structuredClone({ openapi: "3.1.0", ...SPECIFICATION });
  Object.assign(document.info, { title: "Plans" });
  Object.assign(document.paths["/plans"].get.responses["200"], {
    description: "All plans.",
    headers: { "x-request-id": { schema: { type: "string" } } },
  });
  Object.assign(document.components.schemas.Plan.properties.name, { default: "free" });
  edit(document);
  return deviations(readDocument(JSON.stringify(document)), SPECIFICATION as Specification, choices)
    .map(({ where, message }) => `${where}: ${message}`);
}

const TO = "from specification.yaml to the document";
const PLACE = "GET /plans, answer 200";

const ROWS: readonly (readonly [edit: Edit, ...found: readonly string[]])[] = [
  [() => {}],
  [({ info }) => info.version = "2", `document: info.version: 1.0.0 → 2, ${TO}`],
  [
    ({ paths }) => delete paths["/plans"].get.security,
    "listPlans: security: the document lacks this of specification.yaml",
  ],
  [
    ({ paths }) => delete paths["/plans"].get.parameters,
    "GET /plans: query parameter limit: the document lacks this of specification.yaml",
  ],
  [
    ({ components }) => components.schemas.Plan.properties.price = {},
    `${PLACE}: price: specification.yaml lacks this: add it`,
  ],
  [
    ({ components }) => components.schemas.Plan.required = [],
    `${PLACE}: name: now optional, ${TO}`,
  ],
  [
    ({ components }) => components.schemas.Price = {},
    "Price: specification.yaml lacks this: add it",
  ],
  [
    ({ paths }) => delete paths["/plans"],
    "GET /plans: the document lacks this of specification.yaml",
  ],
];

Deno.test("deviations() accepts other values of a choice, or none if it is not required", () => {
  const lists = (...values: unknown[]): Edit => ({ components }) =>
    components.schemas.Plan.properties.name = { type: "string", maxLength: 9, enum: values };
  deepEqual(found(lists("a", "b"), ["name"]), []);
  deepEqual(found(lists("a", "a"), ["name"]).length, 1);
  deepEqual(found(lists(1), ["name"]).length, 1);
  deepEqual(found(lists("a", "b")).length, 1);
  const gone: Edit = ({ components: { schemas: { Plan } } }) => delete Plan.properties.parts;
  deepEqual(found(gone, ["parts"]), []);
  deepEqual(found(({ components }) => delete components.schemas.Plan.properties.name, ["name"]), [
    `${PLACE}: name: the document lacks this of specification.yaml`,
  ]);
});

Deno.test("deviations() names every difference but more headers and annotations", () => {
  for (const [edit, ...wanted] of ROWS) deepEqual(found(edit), wanted, String(edit));
});
