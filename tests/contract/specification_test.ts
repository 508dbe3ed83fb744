/** @module The specification's tables: their notation, and what they lack. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { readDocument } from "../../contract/document.ts";
import { deviations, type Specification } from "../../contract/specification.ts";

const PLAN = {
  type: "object",
  additionalProperties: false,
  required: ["name", "price"],
  properties: {
    name: { type: "string" },
    price: { type: "number", exclusiveMinimum: 0, maximum: 1.5 },
    note: { type: ["string", "null"], description: "Annotations are ignored." },
    next: { anyOf: [{ $ref: "#/components/schemas/Plan" }, { type: "null" }] },
    tags: { type: "array", items: { type: "string", maxLength: 20 }, maxItems: 9 },
    more: { type: "array", items: { $ref: "#/components/schemas/Plan" } },
    parts: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        properties: { seats: { type: "integer", minimum: 1 } },
      },
    },
  },
};

const LIMIT = {
  name: "limit",
  in: "query",
  schema: { type: "integer", minimum: 1, maximum: 50, default: 10 },
};

const DOCUMENT = readDocument(JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Plans", version: "1.0.0" },
  paths: {
    "/plans/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      get: { operationId: "getPlan", security: [], parameters: [LIMIT], responses: {} },
    },
  },
  components: { schemas: { Plan: PLAN } },
}));

const TABLES: Specification = {
  version: "1.0.0",
  operations: {
    getPlan: {
      method: "GET",
      path: "/plans/{id}",
      parameters: { id: "path string!", limit: "query integer minimum=1 maximum=50" },
      answers: {},
    },
  },
  schemas: {
    Plan: {
      name: "string!",
      price: "number! exclusiveMinimum=0 maximum=1.5",
      note: "string|null",
      next: "Plan|null",
      tags: "array items=(string maxLength=20) maxItems=9",
      more: "array items=Plan",
      parts: "array items=object",
    },
  },
  members: { "Plan/properties/parts/items": { seats: "integer minimum=1" } },
};

function found(changes: Partial<Specification>): string[] {
  return deviations(DOCUMENT, { ...TABLES, ...changes })
    .map(({ where, message }) => `${where}: ${message}`);
}

Deno.test("deviations() compares parameters, arrays, numbers and nested objects", () => {
  deepEqual(found({}), []);
  const operation = { ...TABLES.operations["getPlan"]!, parameters: { id: "path string!" } };
  deepEqual(found({ operations: { getPlan: operation } }), [
    'getPlan: the parameters is {"id":"path string!","limit":"query integer minimum=1 maximum=50"} ' +
    'instead of {"id":"path string!"}',
  ]);
  const members = { "Plan/properties/parts/items": { seats: "integer minimum=2" } };
  deepEqual(found({ members }), [
    'Plan/properties/parts/items: the members is {"seats":"integer minimum=1"} ' +
    'instead of {"seats":"integer minimum=2"}',
  ]);
});

Deno.test("deviations() names every operation and object that the tables lack", () => {
  deepEqual(found({ operations: {}, schemas: {}, members: {} }), [
    "getPlan: specification.yaml lacks this operation: add its row",
    "Plan: specification.yaml lacks this object: add its row",
    "Plan/properties/parts/items: specification.yaml lacks this object: add its row",
  ]);
  deepEqual(found({ schemas: { ...TABLES.schemas, Price: {} } }).slice(0, 1), [
    "Price: the document lacks this object of specification.yaml",
  ]);
});
