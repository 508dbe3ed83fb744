/** @module The specification's tables: their notation, and what they lack. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { readDocument } from "../../contract/document/read.ts";
import { deviations, type Specification } from "../../contract/specification.ts";

const REF = { $ref: "#/components/schemas/Plan" };
const PART = { type: "object", additionalProperties: false, properties: { seats: { minimum: 1 } } };

const NOTATIONS = [
  [{ type: "string" }, "string"],
  [{ type: "number", exclusiveMinimum: 0, maximum: 1.5 }, "number exclusiveMinimum=0 maximum=1.5"],
  [{ type: ["string", "null"], description: "Annotations are ignored." }, "string|null"],
  [{ anyOf: [REF, { type: "null" }] }, "Plan|null"],
  [{ type: "array", items: { type: "string", maxLength: 2 } }, "array items=(string maxLength=2)"],
  [{ type: "array", items: REF, maxItems: 9 }, "array items=Plan maxItems=9"],
  [{ type: "array", items: PART }, "array items=object"],
] as const;

const properties = Object.fromEntries(NOTATIONS.map(([schema], at) => [at, schema]));
const LIMIT = { type: "integer", minimum: 1, maximum: 50, default: 10 };
const DOCUMENT = readDocument(JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Plans", version: "1.0.0" },
  paths: {
    "/plans/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      get: {
        operationId: "getPlan",
        security: [],
        parameters: [{ name: "limit", in: "query", schema: LIMIT }],
        responses: {},
      },
    },
  },
  components: { schemas: { Plan: { additionalProperties: false, required: ["0"], properties } } },
}));

const INNER = "Plan/properties/6/items";
const parameters = { id: "path string!", limit: "query integer minimum=1 maximum=50" };
const OPERATION = { method: "GET", path: "/plans/{id}", parameters, answers: {} };
const TABLES: Specification = {
  version: "1.0.0",
  operations: { getPlan: OPERATION },
  schemas: {
    Plan: Object.fromEntries(NOTATIONS.map(([, text], at) => [at, at === 0 ? `${text}!` : text])),
  },
  members: { [INNER]: { seats: "any minimum=1" } },
};

function found(changes: Partial<Specification>): string[] {
  return deviations(DOCUMENT, { ...TABLES, ...changes })
    .map(({ where, message }) => `${where}: ${message}`);
}

Deno.test("deviations() compares parameters, arrays, numbers and nested objects", () => {
  deepEqual(found({}), []);
  const operation = { ...OPERATION, parameters: { id: "path string!" } };
  deepEqual(found({ operations: { getPlan: operation } }), [
    `getPlan: the parameters is ${JSON.stringify(parameters)} instead of {"id":"path string!"}`,
  ]);
  deepEqual(found({ members: { [INNER]: { seats: "any minimum=2" } } }), [
    `${INNER}: the members is {"seats":"any minimum=1"} instead of {"seats":"any minimum=2"}`,
  ]);
});

Deno.test("deviations() names every operation and object that only one side has", () => {
  deepEqual(found({ operations: {}, schemas: { Price: {} }, members: {} }).slice(0, 4), [
    "getPlan: specification.yaml lacks this operation: add its row",
    "Plan: specification.yaml lacks this object: add its row",
    `${INNER}: specification.yaml lacks this object: add its row`,
    "Price: the document lacks this object of specification.yaml",
  ]);
});
