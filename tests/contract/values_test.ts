/** @module Values of schemas: random ones, the smallest, edges and breaks, as Ajv judges them. */

import assert, { deepStrictEqual as deepEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import type { Json, JsonObject } from "../../contract/document.ts";
import { readDocument } from "../../contract/document/read.ts";
import { createSchemas } from "../../contract/schema.ts";
import { brokenOf } from "../../contract/values/breaks.ts";
import { edgesOf } from "../../contract/values/edges.ts";
import { valueOptions } from "../../contract/values/options.ts";
import { smallestOf, valuesOf } from "../../contract/values/values.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  ...more,
});
const list = (items: Json, more: JsonObject = {}): JsonObject => ({
  type: "array",
  items,
  ...more,
});
const text = (more: JsonObject = {}): JsonObject => ({ type: "string", ...more });
const integer = (more: JsonObject = {}): JsonObject => ({ type: "integer", ...more });
const number = (more: JsonObject = {}): JsonObject => ({ type: "number", ...more });

const SCHEMAS: JsonObject = {
  Id: integer({ readOnly: true }),
  Tree: { properties: { leaf: text(), parts: list(ref("Tree")) } },
  Chain: object({ next: { anyOf: [ref("Chain"), { type: "null" }] } }),
  Endless: object({ next: ref("Endless") }),
  Loop: { allOf: [ref("Loop")] },
  Cat: object({ kind: text(), lives: integer({ maximum: 9 }) }),
  Dog: object({ kind: { const: "dog" }, name: text({ maxLength: 3 }) }),
};
const pets = { oneOf: [ref("Cat"), ref("Dog")] };
const DOCUMENT = readDocument(
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "x", version: "1" },
    paths: {},
    components: { schemas: SCHEMAS },
  }),
);
const schemas = createSchemas(DOCUMENT);
const OPTIONS = valueOptions({ document: DOCUMENT, schemas }, { dotless: false });

/** Schemas, each with its smallest value. */
const ROWS: readonly (readonly [schema: Json, smallest: Json])[] = [
  [{}, "a"],
  [true, "a"],
  [{ title: "any", deprecated: true, xml: {}, "x-y": 1, externalDocs: {}, $comment: "" }, "a"],
  [{ type: "boolean" }, false],
  [{ type: ["null", "integer"] }, 0],
  [{ const: { a: [1] } }, { a: [1] }],
  [{ enum: ["b", 1, null, { a: 1 }] }, "b"],
  [text({ enum: [1, "b"] }), "b"],
  // Texts.
  [text({ contentMediaType: "text/plain" }), "a"],
  [{ minLength: 2 }, "aa"],
  [text({ minLength: 3, maxLength: 3 }), "aaa"],
  [text({ maxLength: 0 }), ""],
  [text({ pattern: "^[a-c]{2}-\\d+$" }), "aa-0"],
  [text({ pattern: "x", minLength: 5, maxLength: 6 }), "xaaaa"],
  [text({ pattern: "^[A-Z]+$", minLength: 40, maxLength: 60 }), "A".repeat(40)],
  [text({ pattern: "^(?=.*[a-z])(?=.*\\d).{4,}$" }), "0aaa"],
  [text({ format: "uuid" }), "00000000-0000-4000-8000-000000000000"],
  [text({ format: "email", maxLength: 254 }), "a@a.invalid"],
  [text({ format: "uri", minLength: 30 }), "https://example.invalid/aaaaaa"],
  [text({ format: "date-time" }), "2000-01-01T00:00:00Z"],
  ...[
    "date",
    "time",
    "duration",
    "uri-reference",
    "hostname",
    "ipv4",
    "ipv6",
    "byte",
  ]
    .map((format) => [text({ format }), smallestOf(text({ format }), OPTIONS)] as const),
  ...["binary", "password", "unheard-of"].map((format) => [text({ format }), "a"] as const),
  // Numbers.
  [integer({ minimum: 3_000_000_000 }), 3_000_000_000],
  [integer({ exclusiveMinimum: 4, multipleOf: 5 }), 5],
  [integer({ minimum: 0.5, maximum: 1.5, format: "int32" }), 1],
  [number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }), 0.1],
  [number({ minimum: 0.25, maximum: 0.75, multipleOf: 0.25 }), 0.25],
  [number({ maximum: -1.5, format: "double" }), -1.5],
  [integer({ format: "int64" }), 0],
  // Lists.
  [list(integer({ maximum: 3 }), { minItems: 2, maxItems: 4 }), [0, 0]],
  [list({ enum: ["a", "b", "c"] }, { uniqueItems: true, maxItems: 2 }), ["a"]],
  [list(true, { maxItems: 0 }), []],
  [{ type: "array", prefixItems: [text(), number()], items: false, minItems: 2 }, ["a", 0]],
  [{ type: "array", contains: { const: 7 } }, [7]],
  // Objects.
  [{ type: "object" }, {}],
  [object({ a: text() }, { additionalProperties: false }), { a: "a" }],
  [{ properties: { a: text() }, required: ["b"] }, { b: "a" }],
  [{ type: "object", additionalProperties: integer() }, {}],
  [{ type: "object", patternProperties: { "^x-": { const: 1 } }, additionalProperties: false }, {}],
  [{ type: "object", propertyNames: { maxLength: 1 }, additionalProperties: text() }, {}],
  [{
    properties: { a: {}, b: {}, c: {} },
    dependentRequired: { a: ["b"], b: ["c"] },
    required: ["a"],
  }, {
    a: "a",
    b: "a",
    c: "a",
  }],
  [
    object({ ["__proto__"]: text(), constructor: integer() }),
    JSON.parse('{"__proto__":"a","constructor":0}'),
  ],
  [object({ id: ref("Id"), name: text() }, { additionalProperties: false }), { name: "a" }],
  // Combinations.
  [{
    allOf: [object({ a: text({ maxLength: 9 }) }), object({ a: { minLength: 2 }, b: integer() })],
  }, {
    a: "aa",
    b: 0,
  }],
  [{ allOf: [{ type: ["string", "null"] }, { type: "string" }], maxLength: 2 }, "a"],
  [{ anyOf: [{ type: "null" }, number({ minimum: 1 })] }, 1],
  [{ oneOf: [integer({ maximum: 5 }), integer({ minimum: 0 })] }, -5],
  [{ ...text(), not: { enum: ["a"] } }, "x"],
  [{ type: "integer", if: { minimum: 0 }, then: { multipleOf: 7 }, else: { maximum: -10 } }, 0],
  [{ ...ref("Cat"), required: ["kind", "lives", "x"] }, { kind: "a", lives: 0, x: "a" }],
  [{ ...pets, discriminator: { propertyName: "kind" } }, { kind: "Cat", lives: 0 }],
  [
    {
      ...pets,
      discriminator: { propertyName: "kind", mapping: { puss: "#/components/schemas/Cat" } },
    },
    { kind: "puss", lives: 0 },
  ],
  [
    {
      anyOf: [ref("Endless"), text({ pattern: "^(?<=a)b$" }), object({ a: list(ref("Endless")) })],
    },
    {
      a: [],
    },
  ],
  [ref("Tree"), {}],
  [ref("Chain"), { next: null }],
];

for (const [schema, smallest] of ROWS) {
  Deno.test(`values of ${JSON.stringify(schema).slice(0, 90)}`, () => {
    const isValid = (value: Json) => OPTIONS.isValid(schema, value);
    deepEqual(smallestOf(schema, OPTIONS), smallest);
    const values = fc.sample(valuesOf(schema, OPTIONS), { numRuns: 200, seed: 42 });
    deepEqual(values.filter((value) => !isValid(value)), []);
    const edges = edgesOf(schema, OPTIONS);
    deepEqual(
      edges.filter((edge) => isValid(edge.value) !== edge.isValid || edge.says.length > 130),
      [],
    );
    assert(edges.some((edge) => edge.isValid) && edges.length <= 150);
    if (edges.every((edge) => edge.isValid)) return;
    const broken = fc.sample(brokenOf(schema, OPTIONS), { numRuns: 200, seed: 42 });
    deepEqual(broken.filter(({ value }) => isValid(value)), []);
  });
}

/** Schemas, and all their edges: `+` valid, `-` invalid, `~` invalid for strict services. */
const EDGES: readonly (readonly [schema: Json, edges: readonly string[]])[] = [
  [object({ price: number({ exclusiveMinimum: 0, maximum: 1.5 }) }), [
    "+ only what is required is sent",
    "- price is left out, but required",
    "+ price is 1.5, maximum is 1.5",
    "- price is 1.6, maximum is 1.5",
    "+ price is 0.1, exclusiveMinimum is 0",
    "- price is 0, exclusiveMinimum is 0",
    '- price is "a", type is number',
    '~ price is "1", type is number',
    "- price is null, type is number",
    "- the value is null, type is object",
  ]],
  [text({ minLength: 2, maxLength: 3 }), [
    "+ the value has 3 characters, maxLength is 3 😀😀😀",
    "- the value has 4 characters, maxLength is 3 aaaa",
    "- the value has 1 character, minLength is 2 😀",
    "~ the value is 1, type is string",
  ]],
  [object({ kind: { enum: ["big", "small"] } }), [
    '+ kind is "small", enum is big, small',
    '- kind is "BIG", enum is big, small',
  ]],
  [object({ tags: list(text(), { maxItems: 2, minItems: 1, uniqueItems: true }) }), [
    "+ tags has 2 items, maxItems is 2",
    "- tags has 3 items, maxItems is 2",
    "- tags has 0 items, minItems is 1",
    "- tags has equal items, uniqueItems is true",
    "- tags[0] is null, type is string",
  ]],
  [list(object({ price: integer({ minimum: 5, multipleOf: 5 }) })), [
    "- [0].price is left out, but required",
    "- [0].price is 0, minimum is 5",
    "- [0].price is 6, multipleOf is 5",
    "- [0].price is 1.5, type is integer",
  ]],
  [{
    properties: { a: text(), b: {}, c: {} },
    dependentRequired: { a: ["b"] },
    additionalProperties: false,
  }, [
    "+ a is sent, though optional",
    "+ all members are sent",
    "- b is left out, but required",
    "- unknown is unknown, additionalProperties is false",
  ]],
  [{ type: "object", additionalProperties: integer(), minProperties: 1, maxProperties: 2 }, [
    "+ the value has 2 members, maxProperties is 2",
    "- the value has 3 members, maxProperties is 2",
    "- the value has 0 members, minProperties is 1",
  ]],
  [text({ pattern: "^[a-z]+$", maxLength: 4 }), [
    '- the value is "!", pattern is ^[a-z]+$',
    "+ the value has 4 characters, maxLength is 4",
    "- the value has 5 characters, maxLength is 4",
  ]],
  [text({ format: "date" }), ['- the value is "2001-02-29", format is date']],
  [integer({ minimum: 3e9 }), ["- the value is 2999999999, minimum is 3000000000"]],
  [integer({ format: "int32" }), [
    "+ the value is 2147483647, format is int32",
    "- the value is 2147483648, format is int32",
  ]],
];

Deno.test("edges are exact, and say what is broken", () => {
  for (const [schema, wanted] of EDGES) {
    const said = edgesOf(schema, OPTIONS).flatMap(({ isValid, isLax, says, value }) => {
      const line = `${isValid ? "+" : isLax ? "~" : "-"} ${says}`;
      return [line, `${line} ${value}`];
    });
    deepEqual(wanted.filter((line) => !said.includes(line)), [], said.join("\n"));
  }
});

Deno.test("a schema without values says why", () => {
  const rows = [
    [text({ pattern: "^(?<=a)b$" }), /^pattern \^\(\?<=a\)b\$ cannot be generated$/],
    [text({ pattern: "[" }), /^pattern \[ cannot be generated$/],
    [false, /^nothing matches the schema$/],
    [integer({ minimum: 2, maximum: 1 }), /^no number is within 2 and 1$/],
    [ref("Endless"), /^the schema contains itself without end$/],
    [ref("Loop"), /^nothing matches the schema$/],
    [ref("Missing"), /Missing does not exist$/],
  ] as const;
  for (const [schema, message] of rows) {
    throws(() => valuesOf(schema, OPTIONS), { name: "CannotGenerate", message });
  }
  throws(() => brokenOf({}, OPTIONS), { name: "CannotGenerate", message: "every value is valid" });
});

Deno.test("addresses are below .invalid, and texts hold what services mishandle", () => {
  const emails = fc.sample(valuesOf(text({ format: "email" }), OPTIONS), {
    numRuns: 500,
    seed: 42,
  });
  assert(emails.every((email) => /\.invalid$/.test(String(email))));
  assert([..."!#$%&'*+-/=?^_`{|}~"].every((special) => emails.join("").includes(special)));
  const closed = object({ name: text({ maxLength: 5 }) }, { additionalProperties: false });
  const broken = JSON.stringify(fc.sample(brokenOf(closed, OPTIONS), { numRuns: 1_000, seed: 42 }));
  for (const part of ["__proto__", "\\ud800", "\\u0000", '{"value":['.repeat(200)]) {
    assert(broken.includes(part), part);
  }
});
