/** @module Values of schemas: random ones, the smallest, edges and breaks, as Ajv judges them. */

import assert, { deepStrictEqual as deepEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import { parse } from "yaml";
import type { Json, JsonObject } from "../../contract/lib/json.ts";
import { readDocument } from "../../contract/document/read.ts";
import { createSchemas } from "../../contract/document/schemas.ts";
import { brokenOf, edgesOf } from "../../contract/values/edges.ts";
import { valueOptions } from "../../contract/values/options.ts";
import { smallestOf, valuesOf } from "../../contract/values/values.ts";

type Row = readonly [schema: Json, smallest: Json];
type Edges = Readonly<Record<"schema" | "edges", string>>;

/** A name in `$ref` is a component's. */
const TEXT = Deno.readTextFileSync(new URL("values_test.yaml", import.meta.url))
  .replace(/\$ref: (\w+)/g, '$ref: "#/components/schemas/$1"');
const ROWS: { schemas: JsonObject; smallest: Row[]; edges: Edges[] } = parse(TEXT);
const DOCUMENT = readDocument(
  JSON.stringify({ openapi: "3.1.0", paths: {}, components: { schemas: ROWS.schemas } }),
);
const OPTIONS = valueOptions({ document: DOCUMENT, schemas: createSchemas(DOCUMENT) });

for (const [schema, smallest] of ROWS.smallest) {
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

Deno.test("edges are exact, and say what is broken", () => {
  for (const { schema, edges } of ROWS.edges) {
    const said = edgesOf(schema, OPTIONS).flatMap(({ isValid, isLax, says, value }) => {
      const line = `${isValid ? "+" : isLax ? "~" : "-"} ${says}`;
      return [line, `${line} ${value}`];
    });
    const absent = edges.trimEnd().split("\n").filter((line) => !said.includes(line));
    deepEqual(absent, [], said.join("\n"));
  }
});

Deno.test("a schema without values says why", () => {
  const endless = { $ref: "#/components/schemas/Endless" };
  const rows = [
    [{ type: "string", pattern: "^(?<=a)b$" }, /^pattern \^\(\?<=a\)b\$ cannot be generated$/],
    [{ type: "string", pattern: "[" }, /^pattern \[ cannot be generated$/],
    [false, /^nothing matches the schema$/],
    [{ type: "integer", minimum: 2, maximum: 1 }, /^no number is within 2 and 1$/],
    [{ minLength: 1e12 }, /^minLength is 1000000000000, and the harness sends 70000$/],
    // An error of the harness costs the value alone.
    [{ type: "string", minLength: -2 }, /^RangeError: Invalid count value: -2$/],
    [{ minItems: 1e9 }, /^minItems is 1000000000, and the harness sends 70000$/],
    [endless, /^the schema contains itself without end$/],
    [{ $ref: "#/components/schemas/Loop" }, /^nothing matches the schema$/],
    [{ $ref: "#/components/schemas/Missing" }, /Missing does not exist$/],
  ] as const;
  for (const [schema, message] of rows) {
    throws(() => valuesOf(schema, OPTIONS), { name: "CannotGenerate", message });
  }
  throws(() => brokenOf({}, OPTIONS), { name: "CannotGenerate", message: "every value is valid" });
});

Deno.test("addresses are below .invalid, and texts hold what services mishandle", () => {
  const address = { type: "string", format: "email" };
  const emails = fc.sample(valuesOf(address, OPTIONS), { numRuns: 500, seed: 42 });
  assert(emails.every((email) => /\.invalid$/.test(String(email))));
  assert([..."!#$%&'*+-/=?^_`{|}~"].every((special) => emails.join("").includes(special)));
  const name = { type: "string", maxLength: 5 };
  const closed = { type: "object", properties: { name }, additionalProperties: false };
  const broken = JSON.stringify(fc.sample(brokenOf(closed, OPTIONS), { numRuns: 1_000, seed: 42 }));
  for (const part of ["__proto__", "\\ud800", "\\u0000", '{"value":['.repeat(200)]) {
    assert(broken.includes(part), part);
  }
});
