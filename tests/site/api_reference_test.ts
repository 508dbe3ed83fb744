/** @module The API reference is complete and correct in every language. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal, throws } from "node:assert/strict";
import { ERROR_CODES } from "../../schemas/error_codes.ts";
import { openApiDocument } from "../../schemas/openapi.ts";
import type { Json } from "../../schemas/openapi_headers.ts";
import { apiTexts } from "../../site/api_reference.ts";
import { LOCALES } from "../../site/page_path.ts";
import { FACTS } from "./fixture.ts";

// deno-lint-ignore no-explicit-any -- traverses a document of any shape
const document: any = openApiDocument(FACTS);

/** Where the page includes the reference. */
const PLACE = { file: "en/docs.md", line: 1 };

for (const locale of LOCALES) {
  const { api_reference: text, error_codes: codes } = apiTexts(document, { locale, ...PLACE });
  const [yes, no] = locale === "de" ? ["ja", "nein"] : ["yes", "no"];

  Deno.test(`apiTexts() lists every operation, status, field, header and error code in ${locale}`, () => {
    const sectionOf = (name: string) => text.split(`### ${name}\n`)[1]?.split("### ")[0] ?? "";
    for (const [path, item] of Object.entries<Record<string, unknown>>(document.paths)) {
      // deno-lint-ignore no-explicit-any -- see above
      for (const [method, { operationId, responses }] of Object.entries<any>(item)) {
        const section = sectionOf(operationId);
        ok(section.includes(`\`${method.toUpperCase()} ${path}\``));
        const listed = [...section.matchAll(/^\| (\d{3}) \|/gm)].map(([, status]) => status);
        deepEqual(listed, Object.keys(responses));
      }
    }
    const listed = [...codes.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)];
    deepEqual(
      listed.map(([, status, code]) => [code, Number(status)]),
      Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status]),
    );
    ok(!codes.includes("{site}"));
    for (const name of Object.keys(document.components.headers)) ok(text.includes(`\`${name}\``));
    // deno-lint-ignore no-explicit-any -- see above
    const schemas = Object.entries<any>(document.components.schemas);
    for (const [name, { properties, required }] of schemas) {
      for (const member of Object.keys(properties)) {
        const needed = required.includes(member) ? yes : no;
        ok(sectionOf(name).includes(`| \`${member}\` | ${needed} |`), `${name}.${member}`);
      }
    }
    for (const table of text.split(/\n(?!\|)/)) {
      const rows = table.split("\n").filter((line) => line.startsWith("|"));
      const widths = new Set(rows.map((row) => row.split(/(?<!\\)\|/).length));
      ok(widths.size <= 1, table);
    }
  });
}

const SIZE = "length at least 2, at most 9";
const PLAN = { $ref: "#/components/schemas/Plan" };

/** How the reference describes a schema, in English and, where the words differ in order, in German. */
const TYPES: readonly (readonly [schema: Json, en: string, de?: string])[] = [
  [{ type: "string", format: "email" }, "string (email)"],
  [{ type: "string", minLength: 2, maxLength: 9 }, `string, ${SIZE} characters`],
  [{ type: "string", maxLength: 0 }, "empty string", "leere Zeichenkette"],
  [{ type: "string", enum: ["pro", "x"] }, "one of `pro`, `x`", "eines von `pro`, `x`"],
  [{ type: "integer", minimum: 1, maximum: 50 }, "integer, at least 1, at most 50"],
  [{ type: "integer", default: 10 }, "integer, default 10", "ganze Zahl, Vorgabe 10"],
  [
    { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 2 },
    "number, more than 0, less than 2",
  ],
  [{ type: ["string", "null"], maxLength: 9 }, "string, at most 9 characters or null"],
  [{ anyOf: [PLAN, { type: "null" }] }, "Plan or null", "Plan oder null"],
  [{ type: "array", items: PLAN }, "array of Plan", "Array mit Elementen vom Typ Plan"],
  [{ type: "array", items: {}, maxItems: 9 }, "array of anything, length at most 9"],
  [{}, "anything", "beliebig"],
];

/** A document with an operation that lists plans of this shape. */
function listing(plan: Json): Json {
  const limit = { type: "integer", minimum: 1, description: "How many plans." };
  const content = { "application/json": { schema: { type: "array", items: PLAN } } };
  const get = {
    operationId: "listPlans",
    parameters: [{ name: "limit", in: "query", required: true, schema: limit }],
    responses: { "200": { description: "Plans.", content } },
  };
  return { ...document, paths: { "/api/plans": { get } }, components: { schemas: { Plan: plan } } };
}

Deno.test("apiTexts() describes parameters, arrays, numbers and nested objects", () => {
  const amount = { type: "number" };
  const price = { type: "object", required: ["amount"], properties: { amount } };
  const plan = { properties: { prices: { type: "array", items: price }, base: price } };
  const rows = apiTexts(listing(plan), { locale: "en", ...PLACE }).api_reference.split("\n");
  const expected = [
    "| Parameter | Required | Type | Meaning |",
    "| `limit` | yes | integer, at least 1 | How many plans. |",
    "| 200 | `application/json`, array of Plan | Plans. |",
    "| `prices` | no | array of object |  |",
    "| `prices[].amount` | yes | number |  |",
    "| `base.amount` | yes | number |  |",
  ];
  deepEqual(expected.filter((row) => !rows.includes(row)), []);
});

Deno.test("apiTexts() describes types with their formats, values and limits in every language", () => {
  const properties = Object.fromEntries(TYPES.map(([schema], at) => [at, schema]));
  for (const locale of LOCALES) {
    const components = { schemas: { Plan: { properties } } };
    const changed = { ...document, paths: {}, components };
    const { api_reference: text } = apiTexts(changed, { locale, ...PLACE });
    const cells = [...text.matchAll(/^\| `\d+` \| \S+ \| (.*) \| {2}\|$/gm)];
    for (const [at, [, en, de]] of TYPES.entries()) {
      if (locale === "en") equal(cells[at]?.[1], en);
      else if (de !== undefined) equal(cells[at]?.[1], de);
    }
  }
});

Deno.test("apiTexts() names all texts of the API that are not translated", () => {
  const deep = { properties: { name: { description: "Deep." } } };
  const plan = { properties: { names: { type: "array", items: deep } } };
  const texts = ["Plans.", "How many plans.", "Deep."].map((text) => `\n {2}"${text}"`).join("");
  throws(
    () => apiTexts(listing(plan), { locale: "de", ...PLACE }),
    new RegExp(`en/docs\\.md:1: .* under "description" in site/words/de\\.json:${texts}$`),
  );
});
