/** @module The API reference is complete and correct in every language. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { ERROR_CODES, errorBody, type ErrorCode } from "../../schemas/error_codes.ts";
import { openApiDocument } from "../../schemas/openapi.ts";
import type { Json } from "../../schemas/openapi_headers.ts";
import { apiReference } from "../../site/api_reference.ts";
import { errorExample } from "../../site/page_text.ts";
import { renderMarkdown } from "../../site/markdown.ts";
import { LOCALES } from "../../schemas/site_data.ts";
import { FACTS } from "./fixture.ts";

// deno-lint-ignore no-explicit-any -- traverses a document of any shape
type Members = Record<string, any>;

const document = openApiDocument(FACTS) as Members;

const operations = Object.entries<Members>(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .map(([method, operation]) => ({ ...operation, title: `${method.toUpperCase()} ${path}` }))
);
const codes: Members = ERROR_CODES;

function examplesOf(message?: { readonly content: Members }): Members {
  return Object.values(message?.content ?? {})[0]?.examples ?? {};
}

for (const locale of LOCALES) {
  const text = apiReference(document, locale);
  const [yes, heading] = locale === "de"
    ? ["erforderlich", "Fehlercodes"]
    : ["required", "Error codes"];
  const sectionOf = (name: string) => text.split(`### ${name}\n`)[1]?.split(/^###? /m)[0] ?? "";

  Deno.test(`apiReference() lists every operation, status, field, header and error code in ${locale}`, () => {
    const fieldsIn = (section: string, { properties, required }: Members) => {
      for (const member of Object.keys(properties)) {
        const needed = required.includes(member) ? yes : "optional";
        ok(section.includes(`| \`${member}\` | ${needed} |`), member);
      }
    };
    const { schemas, headers } = document.components;
    for (const { title, operationId, requestBody, responses } of operations) {
      const section = sectionOf(`\`${title}\``);
      ok(section.includes(`(\`${operationId}\`)`), title);
      const listed = [...section.matchAll(/^(?:\| |`)(\d{3})(?= \||`)/gm)];
      deepEqual(listed.map(([, status]) => status), Object.keys(responses));
      for (const { content } of [requestBody ?? {}, responses[200]]) {
        const name = content?.["application/json"]?.schema.$ref?.split("/").at(-1);
        if (name) fieldsIn(section, schemas[name]);
      }
    }
    fieldsIn(sectionOf("Schema `ApiError`"), schemas.ApiError);
    deepEqual(text.match(/(?<=^### Schema `)\w+/gm), ["ApiError"], "others are at an operation");
    const [, table = ""] = text.split(`## ${heading}\n`);
    const listed = [...table.matchAll(/^\| \[`(\w+)`\]\(#error-(\w+)\) \| (\d{3}) \|/gm)];
    deepEqual(
      listed.map(([, code, anchor, status]) => [code, anchor, Number(status)]),
      Object.entries(codes).map(([code, { status }]) => [code, code, status]),
    );
    ok(!table.includes("{site}"));
    for (const name of Object.keys(headers)) ok(text.includes(`\`${name}\``));
    for (const table of text.split(/\n(?!\|)/)) {
      const rows = table.split("\n").filter((line) => line.startsWith("|"));
      const widths = new Set(rows.map((row) => row.split(/(?<!\\)\|/).length));
      ok(widths.size <= 1 && rows.every((row) => !/\| +\|/.test(row)), table);
    }
  });

  Deno.test(`apiReference() shows each example in ${locale} as it is in the document, with its label`, () => {
    for (const { title, requestBody, responses } of operations) {
      const blocks = [...sectionOf(`\`${title}\``).matchAll(/^```(.+)\n([^]*?)\n```$/gm)];
      const requests = blocks.splice(0, 3).map(([, label, command = ""]) => [label, command]);
      deepEqual(requests.map(([label]) => label), ["bash curl", "js fetch", "python Python"]);
      const [sent] = Object.values(examplesOf(requestBody));
      const bodies = [/ -d '(.*)'$/s, /stringify\((.*)\),$/ms, /r"""(.*)"""/s];
      for (const [at, [, command = ""]] of requests.entries()) {
        ok(command.includes(`${FACTS.siteUrl}${title.split(" ")[1]}`), command);
        if (sent) deepEqual(JSON.parse(bodies[at]!.exec(command)![1]!), sent.value);
      }
      const shown = blocks.map(([, label, text = ""]) => [
        label,
        label!.startsWith("json ") ? JSON.parse(text) : `${text}\n`,
      ]);
      const documented = Object.entries<{ content: Members }>(responses)
        .flatMap(([status, response]) =>
          Object.entries(examplesOf(response)).map(([name, { value }]) => [
            `${typeof value === "string" ? "yaml" : "json"} ${status} ${name}`,
            value,
          ])
        );
      deepEqual(shown, documented);
    }
  });

  Deno.test(`each error at an operation links to its row, each schema to where it is, in ${locale}`, async () => {
    const { html, headings, rows, hrefs } = await renderMarkdown(text, locale);
    const ids = [...headings.map(({ id }) => id), ...rows].map((id) => `#${id}`);
    deepEqual(hrefs.filter((href) => href.startsWith("#") && !ids.includes(href)), []);
    ok(ids.includes("#post-api-lead"));
    deepEqual(rows, Object.keys(codes).map((code) => `error-${code}`));
    for (const id of rows) ok(html.includes(`<tr id="${id}"><td><a href="#${id}"><code>`), id);
    const linked = [...html.split(`>${heading}</h2>`)[0]!.matchAll(/href="#error-(\w+)"/g)];
    const { bad_host: _, not_found: __, internal_error: ___, ...documented } = codes;
    deepEqual(new Set(linked.map(([, code]) => code)), new Set(Object.keys(documented)));
  });

  Deno.test(`errorExample() gives the body of each error code, with documented details, in ${locale}`, async () => {
    for (const [code, { status }] of Object.entries(codes)) {
      const { error } = JSON.parse(await errorExample(code as ErrorCode, FACTS));
      const [example = { value: errorBody(code as ErrorCode, FACTS) }] = operations
        .flatMap(({ responses }) => examplesOf(responses[status])[code] ?? []);
      deepEqual({ error }, example.value);
    }
  });
}

const PLAN = { $ref: "#/components/schemas/Plan" };

/** How the reference describes a schema, in English and, where the words differ in order, in German. */
const TYPES: readonly (readonly [schema: Json, en: string, de?: string])[] = [
  [{ type: "string", format: "email" }, "string (email)"],
  [{ type: "string", minLength: 2, maxLength: 9 }, "string, 2 to 9 characters"],
  [{ type: "string", minLength: 1 }, "string, at least 1 character"],
  [{ type: "string", minLength: 2, maxLength: 2 }, "string, exactly 2 characters"],
  [{ type: "string", maxLength: 0 }, "empty string", "leere Zeichenkette"],
  [{ type: "string", enum: ["pro", "x"] }, "one of `pro`, `x`", "eines von `pro`, `x`"],
  [{ type: "integer", minimum: 1, maximum: 50 }, "integer, 1 to 50", "ganze Zahl, 1 bis 50"],
  [{ type: "integer", default: 10 }, "integer, default 10", "ganze Zahl, Vorgabe 10"],
  [
    { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 2 },
    "number, more than 0, less than 2",
  ],
  [{ type: ["string", "null"], maxLength: 9 }, "string, at most 9 characters or null"],
  [
    { anyOf: [PLAN, { type: "null" }] },
    "[Plan](#schema-plan) or null",
    "[Plan](#schema-plan) oder null",
  ],
  [
    { type: "array", items: PLAN },
    "array of [Plan](#schema-plan)",
    "Array von [Plan](#schema-plan)",
  ],
  [{ type: "array", items: {}, maxItems: 9 }, "array of anything, at most 9 items"],
  [
    { type: "array", items: { type: "string", format: "email", maxLength: 9 }, minItems: 1 },
    "array of strings (email, at most 9 characters), at least 1 item",
    "Array von Zeichenketten (email, höchstens 9 Zeichen), mindestens 1 Element",
  ],
  [
    { type: "array", items: { enum: ["a"] } },
    "array of values from `a`",
    "Array von Werten aus `a`",
  ],
  [{}, "anything", "beliebig"],
];

function listing(plan: Json): Json {
  const limit = { type: "integer", minimum: 1, description: "How many plans." };
  const content = { "application/json": { schema: { type: "array", items: PLAN } } };
  const get = {
    operationId: "listPlans",
    summary: "Plans.",
    description: "Plans.",
    parameters: [{ name: "limit", in: "query", required: true, schema: limit }],
    responses: { "200": { description: "Plans.", content } },
  };
  return { ...document, paths: { "/api/plans": { get } }, components: { schemas: { Plan: plan } } };
}

Deno.test("apiReference() describes parameters, arrays, numbers and nested objects", () => {
  const amount = { type: "number" };
  const price = { type: "object", required: ["amount"], properties: { amount } };
  const plan = { properties: { prices: { type: "array", items: price }, base: price } };
  const rows = apiReference(listing(plan), "en").split("\n");
  const expected = [
    "| `limit` | required | integer, at least 1 | How many plans. |",
    "`200`, `application/json`, array of [Plan](#schema-plan): Plans.",
    "| `prices` | optional | array of objects |  |",
    "| `prices[].amount` | required | number |  |",
    "| `base.amount` | required | number |  |",
  ];
  deepEqual(expected.filter((row) => !rows.includes(row)), []);
});

Deno.test("schemas named like fields of a form have ids of their own, to which links lead", async () => {
  const names = ["Plan", "Message", "Email", "Content"];
  const schemas = Object.fromEntries(names.map((name) => [name, {
    properties: Object.fromEntries(
      names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]),
    ),
  }]));
  const text = apiReference({ ...document, paths: {}, components: { schemas } }, "en");
  const { headings, hrefs } = await renderMarkdown(text);
  const ids = headings.map(({ id }) => id).filter((id) => id.startsWith("schema-"));
  deepEqual(ids, names.map((name) => `schema-${name.toLowerCase()}`));
  const links = hrefs.filter((href) => href.startsWith("#schema-"));
  deepEqual(new Set(links), new Set(ids.map((id) => `#${id}`)));
});

Deno.test("apiReference() describes types with their formats, values and limits in every language", () => {
  const properties = Object.fromEntries(TYPES.map(([schema], at) => [at, schema]));
  for (const locale of LOCALES) {
    const components = { schemas: { Plan: { properties } } };
    const changed = { ...document, paths: {}, components };
    const text = apiReference(changed, locale);
    const cells = [...text.matchAll(/^\| `\d+` \| \S+ \| (.*) \| {2}\|$/gm)];
    for (const [at, [, en, de]] of TYPES.entries()) {
      if (locale === "en") equal(cells[at]?.[1], en);
      else if (de !== undefined) equal(cells[at]?.[1], de);
    }
  }
});

Deno.test("apiReference() names all texts of the API that are not translated, and leaves them in English", () => {
  const deep = { properties: { name: { description: "Deep." } } };
  const missing = new Set<string>();
  const plan = { properties: { names: { type: "array", items: deep } } };
  match(apiReference(listing(plan), "de", missing), /How many plans\./);
  ok(missing.isSupersetOf(new Set(["Plans.", "How many plans.", "Deep."])));
});
