/** @module Renders the API reference as markdown, for both representations of the docs. */

import type { Json } from "../schemas/openapi_headers.ts";
import { PageFault } from "./page_fault.ts";
import type { Locale } from "./page_path.ts";
import { DESCRIPTIONS, fill, WORDS, type Words } from "./words.ts";

type JsonObject = { readonly [name: string]: Json };

/** Labels of one language, and the translation of the document's descriptions into it. */
interface Translator {
  readonly words: Words["reference"];
  t(text: Json | undefined): string;
}

/**
 * Returns the reference with level-3 headings, for the page at this place.
 *
 * @throws {PageFault} naming the descriptions without a translation in `words/`
 */
export function apiReference(
  document: Json,
  { locale, file, line }: { readonly locale: Locale; readonly file: string; readonly line: number },
): string {
  const missing = new Set<string>();
  const translator: Translator = {
    words: WORDS[locale].reference,
    t(text) {
      if (typeof text !== "string") return "";
      // Table cells cannot contain lists: only the first paragraph is used.
      const [paragraph = ""] = text.split("\n\n", 1);
      const translated = locale === "en" ? paragraph : DESCRIPTIONS[locale][paragraph];
      if (translated === undefined) missing.add(paragraph);
      return (translated ?? paragraph).replaceAll("|", "\\|"); // a pipe would end the cell
    },
  };
  const components = objectAt(document, "components");
  const parts = [
    ...operationsOf(document).map((operation) => operationText(operation, translator)),
    ...Object.entries(objectAt(components, "schemas"))
      .map((entry) => schemaText(entry, translator)),
    headersText(document, translator),
  ];
  if (missing.size === 0) return parts.join("\n\n");
  const list = [...missing].map((text) => `\n  ${JSON.stringify(text)}`).join("");
  const words = `site/words/${locale}.json`;
  const state = `the API description has texts without ${locale} in ${words}:${list}`;
  throw new PageFault(file, { line, state });
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly value: JsonObject;
}

function operationsOf(document: Json): Operation[] {
  return Object.entries(objectAt(document, "paths")).flatMap(([path, item]) =>
    Object.entries(item as JsonObject).map(([method, value]) => ({
      method: method.toUpperCase(),
      path,
      value: value as JsonObject,
    }))
  );
}

function operationText({ method, path, value }: Operation, { words, t }: Translator): string {
  const body = value["requestBody"];
  const request = body === undefined
    ? []
    : [`${words.body}: ${contentText(body)}. ${t(objectAt(body)["description"])}`, ""];
  const responses = Object.entries(objectAt(value, "responses")).map((
    [status, response],
  ) => [status, contentText(response), t(objectAt(response)["description"])]);
  return [
    `### ${String(value["operationId"])}`,
    "",
    `\`${method} ${path}\`: ${t(value["description"])}`,
    "",
    ...request,
    table([words.status, words.answer, words.meaning], responses),
  ].join("\n");
}

/** Media type and schema of a request or response: "`application/json`, Health". */
function contentText(message: Json): string {
  const [[type, media] = ["", {}]] = Object.entries(objectAt(message, "content"));
  const reference = objectAt(media as JsonObject, "schema")["$ref"];
  const name = typeof reference === "string" ? `, ${reference.split("/").at(-1)}` : "";
  return `\`${type}\`${name}`;
}

function schemaText([name, schema]: [string, Json], translator: Translator): string {
  const { member, required, type, meaning } = translator.words;
  const rows = membersOf(schema, translator);
  return [`### ${name}`, "", table([member, required, type, meaning], rows)].join("\n");
}

/** One row per member; members of nested objects are listed with their path. */
function membersOf(schema: Json, translator: Translator, prefix = ""): string[][] {
  const { required = [] } = objectAt(schema);
  return Object.entries(objectAt(schema, "properties")).flatMap(([name, value]) => {
    const member = objectAt(value);
    const needed = (required as readonly Json[]).includes(name);
    return [
      [
        `\`${prefix}${name}\``,
        needed ? translator.words.yes : translator.words.no,
        typeText(member, translator),
        translator.t(member["description"]),
      ],
      ...membersOf(member, translator, `${prefix}${name}.`),
    ];
  });
}

function typeText(schema: JsonObject, { words }: Translator): string {
  const types: Readonly<Record<string, string>> = words.types;
  const { type, format, enum: values, maxLength } = schema;
  if (Array.isArray(values)) {
    const list = values.map((value) => `\`${String(value)}\``).join(", ");
    return fill(words.oneOf, { values: list });
  }
  if (maxLength === 0) return words.empty;
  const name = typeof type === "string" ? types[type] ?? type : words.anything;
  return [
    name,
    ...(format === undefined ? [] : [` (${String(format)})`]),
    ...(maxLength === undefined ? [] : [`, ${fill(words.atMost, { count: String(maxLength) })}`]),
  ].join("");
}

/** Headers of every response are only listed; the table describes the others. */
function headersText(document: Json, { words, t }: Translator): string {
  const headers = objectAt(objectAt(document, "components"), "headers");
  const responses = operationsOf(document)
    .flatMap(({ value }) => Object.values(objectAt(value, "responses")));
  const isCommon = (name: string) =>
    responses.every((response) => name in objectAt(response, "headers"));
  const names = Object.keys(headers);
  const common = names.filter(isCommon).map((name) => `\`${name}\``).join(", ");
  const rows = names.filter((name) => !isCommon(name)).map((name) => {
    const { description, example } = objectAt(headers, name);
    return [`\`${name}\``, t(description), `\`${String(example)}\``];
  });
  return [
    `### ${words.headers}`,
    "",
    `${words.everyAnswer}: ${common}.`,
    "",
    table([words.header, words.meaning, words.example], rows),
  ].join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The object at a member, or the value itself; empty if absent. */
function objectAt(value: Json | undefined, name?: string): JsonObject {
  const object = (value ?? {}) as JsonObject;
  return name === undefined ? object : objectAt(object[name]);
}
