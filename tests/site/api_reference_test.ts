/** @module The API reference is complete and correct in every language. */

import { deepStrictEqual as deepEqual, match, ok, throws } from "node:assert/strict";
import { ERROR_CODES } from "../../schemas/error_codes.ts";
import { openApiDocument } from "../../schemas/openapi.ts";
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

/** A schema, and how the reference describes it. */
const TYPES: readonly (readonly [schema: unknown, en: string, de: string])[] = [
  [{ type: "string", format: "email" }, "string (email)", "Zeichenkette (email)"],
  [
    { type: "string", minLength: 2, maxLength: 120 },
    "string, length at least 2, at most 120 characters",
    "Zeichenkette, Länge mindestens 2, höchstens 120 Zeichen",
  ],
  [{ type: "string", maxLength: 0 }, "empty string", "leere Zeichenkette"],
  [
    { type: "string", enum: ["pro", "hosted"] },
    "one of `pro`, `hosted`",
    "eines von `pro`, `hosted`",
  ],
  [
    { type: "integer", minimum: 1, maximum: 50, default: 10 },
    "integer, at least 1, at most 50, default 10",
    "ganze Zahl, mindestens 1, höchstens 50, Vorgabe 10",
  ],
  [
    { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1.5 },
    "number, more than 0, less than 1.5",
    "Zahl, mehr als 0, weniger als 1.5",
  ],
  [
    { type: ["string", "null"], maxLength: 9 },
    "string, at most 9 characters or null",
    "Zeichenkette, höchstens 9 Zeichen oder null",
  ],
  [
    { anyOf: [{ $ref: "#/components/schemas/Plan" }, { type: "null" }] },
    "Plan or null",
    "Plan oder null",
  ],
  [
    { type: "array", items: { type: "number" }, minItems: 1, maxItems: 9 },
    "array of number, length at least 1, length at most 9",
    "Array mit Elementen vom Typ Zahl, Länge mindestens 1, Länge höchstens 9",
  ],
  [
    { type: "array", items: { $ref: "#/components/schemas/Plan" } },
    "array of Plan",
    "Array mit Elementen vom Typ Plan",
  ],
  [{ type: "boolean" }, "boolean", "Wahrheitswert"],
  [{}, "anything", "beliebig"],
];

/** An operation that lists plans of this shape. */
function listing(plan: unknown) {
  const schema = { type: "array", items: { $ref: "#/components/schemas/Plan" } };
  const limit = { type: "integer", minimum: 1, description: "How many plans." };
  const responses = {
    "200": { description: "Plans.", content: { "application/json": { schema } } },
  };
  const parameters = [{ name: "limit", in: "query", schema: limit }];
  return {
    servers: document.servers,
    paths: { "/api/plans": { get: { operationId: "listPlans", parameters, responses } } },
    components: { schemas: { Plan: plan } },
    // deno-lint-ignore no-explicit-any -- see above
  } as any;
}

Deno.test("apiTexts() describes parameters, arrays, numbers and nested objects in every language", () => {
  const price = {
    type: "object",
    required: ["amount"],
    properties: { amount: { type: "number" } },
  };
  const plan = { properties: { prices: { type: "array", items: price }, base: price } };
  const rows = apiTexts(listing(plan), { locale: "en", ...PLACE }).api_reference.split("\n");
  for (
    const row of [
      "| Parameter | Required | Type | Meaning |",
      "| `limit` | no | integer, at least 1 | How many plans. |",
      "| 200 | `application/json`, array of Plan | Plans. |",
      "| `prices` | no | array of object |  |",
      "| `prices[].amount` | yes | number |  |",
      "| `base.amount` | yes | number |  |",
    ]
  ) ok(rows.includes(row), `${row}\n${rows.join("\n")}`);
  const properties = Object.fromEntries(TYPES.map(([schema], at) => [at, schema]));
  for (const locale of LOCALES) {
    const described = listing({ properties });
    delete described.paths["/api/plans"].get.parameters[0].schema.description;
    described.paths["/api/plans"].get.responses = {};
    const { api_reference: text } = apiTexts(described, { locale, ...PLACE });
    const cells = [...text.matchAll(/^\| `\d+` \| \S+ \| (.*) \| {2}\|$/gm)].map(([, type]) =>
      type
    );
    deepEqual(cells, TYPES.map(([, en, de]) => locale === "en" ? en : de));
  }
});

Deno.test("apiTexts() names all texts of the API that are not translated", () => {
  const properties = {
    names: { type: "array", items: { properties: { x: { description: "Deep." } } } },
  };
  throws(
    () => apiTexts(listing({ properties }), { locale: "de", ...PLACE }),
    (error: Error) => {
      match(error.message, /en\/docs\.md:1: .* under "description" in site\/words\/de\.json:/);
      deepEqual(
        error.message.match(/(?<=\n {2}").*(?="$)/gm),
        ["How many plans.", "Plans.", "Deep."],
      );
      return true;
    },
  );
});
