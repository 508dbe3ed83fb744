/** @module Documents of strangers: reading them, guarded schemas, examples, and lines about faults. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal, throws } from "node:assert/strict";
import type { Json } from "../../contract/lib/json.ts";
import { readDocument, serverPaths } from "../../contract/document/read.ts";
import { type Finding, groupFindings } from "../../contract/oracle/finding.ts";
import { createSchemas } from "../../contract/document/schemas.ts";
import { documentTier, invalidExamples } from "../../contract/tiers/document.ts";
import { setUp } from "./small_service.ts";

function read(members: object, schemas: object = {}) {
  const info = { openapi: "3.1.0", info: { title: "x", version: "1" } };
  const text = JSON.stringify({ ...info, paths: {}, components: { schemas }, ...members });
  const deep = `${'{"items":'.repeat(10_000)}{}${"}".repeat(10_000)}`;
  const document = readDocument(text.replace('"DEEP"', deep));
  return { document, schemas: createSchemas(document) };
}

const REF = { $ref: "#/components/schemas/S" };
const OUTSIDE = { $ref: "https://a/b" };
const DRAFT_4 = { $schema: "http://json-schema.org/draft-04/schema#", exclusiveMinimum: true };
const NAMES =
  '{"properties":{"__proto__":{},"toString":{"type":"null"}},"additionalProperties":false}';
const $defs = { d: { properties: { a: {} } } };
const FACTORED = { allOf: [{ $ref: "#/components/schemas/S/$defs/d" }], $defs };

/** A schema, values that it accepts, values that it refuses, and its problem. */
// deno-fmt-ignore
const SCHEMAS: readonly (readonly [schema: unknown, good: Json[], bad: Json[], problem?: string])[] = [
  [{ pattern: "^\\-?[0-9]+$" }, ["-1"], ["x"]],
  [{ pattern: "\\A(?P<x>a)\\Z" }, ["a"], ["ab", "aZ"]],
  [{ pattern: "(?i)^a$" }, ["A"], ["b"]],
  [{ pattern: "(?x)[", maxLength: 2 }, ["a"], ["aaa"], 'schema_unusable: "(?x)[" is no regular expression here'],
  [{ type: "string", not: { $ref: "#/components/schemas/S/$defs/p" }, $defs: { p: { items: { pattern: "(" } } } }, ["a"], [1], 'schema_unusable: "(" is no regular expression here'],
  [{ not: { pattern: "(" } }, ["a"], [], 'schema_unusable: "(" is no regular expression here'],
  [{ $schema: "http://json-schema.org/draft-07/schema#", type: "string" }, ["a"], [1]],
  [{ exclusiveMinimum: true, minimum: 1 }, [1], [0], "document_valid: exclusiveMinimum is true: it must be number"],
  [DRAFT_4, [1], [], "schema_unusable: exclusiveMinimum is true: it must be number"],
  [{ items: { items: 5 } }, [[[1]]], [], "document_valid: items is 5: it must be a schema"],
  [{ $ref: "#/no" }, [1], [], "document_valid: #/no does not exist"],
  [{ ...OUTSIDE, type: "string" }, ["a"], [1], "schema_unusable: https://a/b is outside the document, or no JSON Pointer"],
  [{ oneOf: [OUTSIDE, { type: "string" }] }, ["a"], [], "schema_unusable: https://a/b is outside the document, or no JSON Pointer"],
  [{ $ref: "#/paths/~1a%2F%7Bb%7D/get/parameters/0/schema" }, [1], ["a"]],
  [REF, [], [], "schema_unusable: it or a value is nested without end"],
  [{ $dynamicRef: "#x" }, [1], [], "schema_unusable: the harness does not follow $dynamicRef"],
  [{ $ref: "a#b", $defs: { c: { $anchor: "b" } } }, [1], [], "schema_unusable: a#b is outside the document, or no JSON Pointer"],
  [{ $id: "a", $ref: "#/$defs/d", $defs: { d: {} } }, [1], [], "schema_unusable: #/$defs/d does not exist"],
  [{ properties: { a: REF, b: { type: "null" } } }, [{ a: { a: {} } }], [{ a: { a: { b: 1 } } }]],
  [{ type: ["string", "null"], nullable: false, discriminator: 1, format: "x" }, ["a", null], [1]],
  [{ type: "string", nullable: true }, ["a"], [null]],
  [{ properties: { a: true, b: false } }, [{ a: 1 }], [{ b: 1 }]],
  [JSON.parse(NAMES), [{}, JSON.parse('{"__proto__":1}')], [{ toString: 1 }]],
  [{ ...FACTORED, unevaluatedProperties: false }, [{ a: 1 }], [{ b: 1 }]],
  [{ example: { $ref: "#/no", pattern: "(" }, enum: [{ $ref: "#/no" }] }, [{ $ref: "#/no" }], [1]],
  [{ format: "email" }, ["a@b", '"a b"@x.y', "!#$%&'*+-/=?^_`{|}~@a.b", "a@[::1]"], ["a", "a@", "a@b..c"]],
  [{ format: "uri" }, ["urn:a", "http://[::1]/%20"], ["/a", "a:b c", "a:%"]],
  [{ format: "int32" }, [2 ** 31 - 1, -(2 ** 31)], [2 ** 31, 0.5]],
  [{ format: "double" }, [1e300], []],
  [{ format: "byte" }, ["?"], []],
];

Deno.test("a schema that cannot be used accepts more, never less, and is one problem", () => {
  for (const [S, good, bad, problem] of SCHEMAS) {
    const parameters = [{ name: "b", in: "path", schema: { type: "integer" } }];
    const { document, schemas } = read({ paths: { "/a/{b}": { get: { parameters } } } }, { S });
    const validate = schemas.of(document.schemas["S"]!);
    for (const value of good) deepEqual(validate(value), [], JSON.stringify(S));
    for (const value of bad) ok(validate(value).length > 0, JSON.stringify([S, value]));
    const problems = schemas.problems.map(({ check, message }) =>
      `${check}: ${message.replace("this schema cannot be used, because ", "")}`
    );
    deepEqual(problems, problem === undefined ? [] : [problem], JSON.stringify(S));
  }
});

/** A schema, a value, and the lines about it. */
// deno-fmt-ignore
const LINES: readonly (readonly [schema: unknown, value: Json, lines: string[]])[] = [
  [{ properties: { a: { maxLength: 2 } } }, { a: "x😀y" }, ["/a has 3 characters, maxLength is 2"]],
  [{ items: { required: ["id"] } }, [{}, { id: 1 }, {}], ["/*/id is missing (required)"]],
  // Three of one kind do not hide another.
  [
    { additionalProperties: { type: "string" }, required: ["a", "b", "c", "d"] },
    { x: 1, y: 2 },
    [
      "/a is missing (required)",
      "/b is missing (required)",
      "/c is missing (required)",
      "/x is 1, type is string",
      "/y is 2, type is string",
    ],
  ],
  [{ enum: ["small", "large"] }, "big", ['the value is "big", enum is small, large']],
  [{ additionalProperties: false }, { a: 1 }, ["/a is not allowed (additionalProperties)"]],
  [{ anyOf: [{ type: "integer" }, { type: "null" }] }, "x", ['the value is "x", type is integer or null']],
  [{ properties: { a: { anyOf: [{ type: "null" }, { type: "string", maxLength: 1 }] } } }, { a: "xy" }, ["/a has 2 characters, maxLength is 1"]],
  [{ oneOf: [{ properties: { k: { const: "a" }, v: { type: "null" } } }, { properties: { k: { const: "b" }, v: { minimum: 3 } } }] }, { k: "b", v: 1 }, ["/v is 1, minimum is 3"]],
  [{ oneOf: [{}, true, { type: "null" }] }, 1, ["the value matches several schemas of oneOf"]],
  [{ maxLength: 1, anyOf: [{ maxLength: 3 }, { type: "null" }] }, "long", ["the value has 4 characters, maxLength is 1", "the value has 4 characters, maxLength is 3"]],
  [{ maxLength: 1, pattern: "^z" }, "x".repeat(9_000), ["the value has 9000 characters, maxLength is 1", `the value is "${"x".repeat(29)}…", pattern is ^z`]],
  [{ minItems: 1, contains: { type: "null" } }, [], ["the value has 0 items, minItems is 1", "the value has no fitting item (contains)"]],
];

Deno.test("a fault is a line with place, value, keyword and bound; of branches the closest", () => {
  for (const [schema, value, lines] of LINES) {
    const S = { $ref: "#/components/schemas/T" };
    const { document, schemas } = read({}, { S, T: schema });
    for (const one of Object.values(document.schemas)) {
      deepEqual(schemas.of(one)(value).sort(), lines);
    }
  }
  const seen = (message: string): Finding => ({ check: "case", tier: "x", where: "y", message });
  const { length } = groupFindings(
    ['/a is "1, \\"", type is null', "/a is 2, type is null"].map(seen),
  );
  deepEqual(length, 1);
});

Deno.test("a concrete path comes before a templated one, whatever their order", () => {
  const paths = "/{a}/b,/f/{id},/f/{n}.json,/f/count,/{z}/{x}@{s}x,/f/,/ö ü,/a?b=1".split(",");
  const { document } = read({
    paths: Object.fromEntries(paths.map((path) => [path, { get: {} }])),
  });
  const rows = {
    ...{ "/f/count": 3, "/f/1": 1, "/f/1.json": 2, "/f/b": 1, "/x/b": 0, "/1/2@3x": 4, "/f/": 5 },
    ...{ "/%C3%B6%20%C3%BC": 6, "/a": 7, "/f": -1, "/f/a/b": -1 },
  };
  for (const [path, at] of Object.entries(rows)) {
    equal(document.operationOf("HEAD", path)?.path, paths[at], path);
  }
  deepEqual(document.operationsAt("/f/b").map(({ path }) => path), ["/f/{id}", "/{a}/b"]);
});

const REFERRING = `
openapi: 3.1.0
security: [{ key: [] }]
servers:
  - { url: "https://a/{v}/", variables: { v: { default: v1 } } }
  - { url: /v1 }
  - { url: ../x y }
  - { url: "https://[" }
components:
  examples: { e: { value: 5 } }
  headers: { h: { required: true, content: &content {
    Text/*; charset=utf-8: { schema: {}, examples: { a: { $ref: "#/components/examples/e" } } } } } }
  parameters: { q: { name: q, in: query, schema: { type: "null" } } }
  pathItems: { p: { get: { security: [{}, { key: [] }] } } }
paths:
  /a:
    parameters: [{ $ref: "#/components/parameters/q" }]
    get:
      operationId: x
      parameters: [{ name: q, in: query, content: *content }, { name: Accept, in: header }]
      responses: { 2XX: { headers: { H: { $ref: "#/components/headers/h" } }, content: *content } }
    post: { operationId: x }
  /p: { $ref: "#/components/pathItems/p" }
  /b: { $ref: "#/no" }
  /c: { get: { parameters: [{ $ref: a.json }] }, put: {} }
  d: {}
  x-e: {}
`;

Deno.test("references, overrides, media types and security are read; what cannot be read is left out", () => {
  const document = readDocument(REFERRING);
  deepEqual(document.operations.map(({ id, secured }) => `${id} ${secured}`), [
    ...["x true", "POST /a true", "GET /p false", "PUT /c true"],
  ]);
  const { parameters, responses } = document.operations[0]!;
  const read = parameters.map(({ name, media, example }) => [name, media, example]);
  deepEqual(read, [["q", "text/*", 5]]);
  deepEqual(responses[0]!.headers, [
    { name: "h", required: true, schema: {}, media: "text/*" },
  ]);
  deepEqual(document.problems.map(({ check, where, message }) => `${check} ${where} ${message}`), [
    "document_valid /paths/~1a/post the operationId x is not unique (§4.8.10)",
    "document_valid /paths/~1b this is not tested, because #/no does not exist",
    "document_problem /paths/~1c/get this is not tested, because a.json is outside the document",
    "document_valid /paths/d this is not tested, because a path begins with a slash (§4.8.8)",
  ]);
  deepEqual(serverPaths(document), ["/v1", "/x%20y"]);
});

Deno.test("a document of another kind or with a mistake is one sentence", () => {
  const bomb = [..."abcdefgh"].map((name, at) =>
    `${name}: &${name} [${`*${"_abcdefgh"[at]},`.repeat(9)}]`
  );
  const rows = {
    '{"openapi":"4.0.2"}': /it is OpenAPI 4\.0\.2; the harness reads OpenAPI 3\.1, 3\.0 and/,
    'swagger: "1.2"': /it is Swagger 1\.2; the harness reads/,
    '{\n"a": {,}\n}': /neither JSON nor YAML: .*\(line 2 column 7\)/,
    "a:\n  b: [": /neither JSON nor YAML: .* at line 2, column \d+$/,
    "<!doctype html>": /it is HTML or XML/,
    "": /no member `openapi`/,
    [`_: &_ [${"x,".repeat(9)}]\n${bomb.join("\n")}`]: /Excessive alias count/,
    "a: &a { b: *a }": /Converting circular structure to JSON$/,
    [`a: ${"[".repeat(20_000)}`]: /neither JSON nor YAML/,
  };
  for (const [text, message] of Object.entries(rows)) {
    throws(() => readDocument(text), { name: "DocumentError", message });
  }
});

const EXAMPLES = `
openapi: 3.1.0
info: { title: x, version: "1" }
components: { schemas: { S: { type: object, properties: { n: { type: integer, default: "1" } } } } }
paths:
  /schema:
    post:
      parameters:
        - { name: q, in: query, schema: { type: array, items: { type: integer } }, example: "1,2" }
      requestBody: { content: {
        application/json: { schema: &S { $ref: "#/components/schemas/S" }, examples:
          { a: { value: '{"n":1}' }, b: { value: x }, c: { value: { n: 1.5 } }, d: { externalValue: x } } },
        application/xml: { schema: *S, example: x },
        text/csv: { schema: *S, example: x },
        application/x-ndjson: { schema: *S, example: [1] },
        multipart/form-data: { schema: *S, examples: { a: { value: x }, b: { value: [1] } } } } }
`;

Deno.test("examples are judged by their media types, each cause once; a default is advice of its own", async () => {
  const document = readDocument(EXAMPLES);
  const found = invalidExamples(document, createSchemas(document));
  const reason = "does not match its schema:";
  deepEqual(found.map(({ check, message }) => `${check}: ${message}`).sort(), [
    `document_defaults: the default ${reason} the value is "1", type is integer`,
    `document_examples: an example ${reason} /n is 1.5, type is integer`,
    `document_examples: an example ${reason} the value is "x", type is object`,
    `document_examples: an example ${reason} the value is an array, type is object`,
  ]);
  await using setting = setUp({ thing: { type: "object", pattern: "(", minimum: true } });
  await documentTier.run(setting.session);
  const checks = setting.findings.map(({ check }) => check);
  deepEqual(checks.sort(), ["document_valid", "schema_unusable"]);
});

Deno.test("thousands of schemas in a cycle, levels and paths take seconds", () => {
  const next = (at: number) => `#/components/schemas/${(at + 1) % 3_000}`;
  const cycle = Array.from({ length: 3_000 }, (_, at) => ({ items: { $ref: next(at) } }));
  const paths = Array.from({ length: 5_000 }, (_, at) => [`/a${at}/{b}`, { get: {} }]);
  const components = { ...cycle, deep: "DEEP" };
  const { document, schemas } = read({ paths: Object.fromEntries(paths) }, components);
  for (const name of ["0", "deep"]) deepEqual(schemas.of(document.schemas[name]!)([[[]]]), []);
  deepEqual(schemas.problems.map(({ message }) => message), [
    "this schema cannot be used, because it or a value is nested without end",
  ]);
  for (const [path] of paths) ok(document.operationOf("GET", `${path}`.replace("{b}", "1")));
});
