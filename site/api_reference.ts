/**
 * @module The API reference of the documentation, made from the OpenAPI document: operations with
 * their answers, schemas member by member, headers. As markdown, so that both representations of the
 * page have it; what the document says is in English and is translated by the catalogues in
 * `words/`.
 */

import type { Json } from "../schemas/json.ts";
import type { Locale } from "./page_path.ts";
import { DESCRIPTIONS, fill, WORDS, type Words } from "./words.ts";

type JsonObject = { readonly [name: string]: Json };

/** The words of one language, and the translation of the document's texts into it. */
interface Translator {
  readonly words: Words["reference"];
  t(text: Json | undefined): string;
}

/**
 * The reference as markdown whose headings are of level 3.
 *
 * @param document an OpenAPI 3.1 document whose schemas and headers are under `components`
 * @throws {Untranslated} where texts of the document have no translation
 */
export function apiReference(document: Json, locale: Locale): string {
  const missing = new Set<string>();
  const translator: Translator = {
    words: WORDS[locale].reference,
    t(text) {
      if (typeof text !== "string") return "";
      // A cell of a table holds no list: what follows the first paragraph is left to the page.
      const [paragraph = ""] = text.split("\n\n", 1);
      const translated = locale === "en" ? paragraph : DESCRIPTIONS[locale][paragraph];
      if (translated === undefined) missing.add(paragraph);
      return cell(translated ?? paragraph);
    },
  };
  const components = objectAt(document, "components");
  const parts = [
    ...operationsOf(document).map((operation) => operationText(operation, translator)),
    ...Object.entries(objectAt(components, "schemas"))
      .map(([name, schema]) => schemaText(name, { schema, translator })),
    headersText(document, translator),
  ];
  if (missing.size > 0) throw new Untranslated(locale, [...missing]);
  return parts.join("\n\n");
}

/** The document has texts that `words/` does not translate. */
export class Untranslated extends Error {
  override readonly name = "Untranslated";

  constructor(locale: Locale, texts: readonly string[]) {
    const list = texts.map((text) => `\n  ${JSON.stringify(text)}`).join("");
    super(`the API description has texts without ${locale} in site/words/${locale}.json:${list}`);
  }
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
  const answers = Object.entries(objectAt(value, "responses")).map(([status, response]) => {
    const { description } = objectAt(response);
    return [status, contentText(response), t(description)];
  });
  return [
    `### ${String(value["operationId"])}`,
    "",
    `\`${method} ${path}\`: ${t(value["description"])}`,
    "",
    ...request,
    table([words.status, words.answer, words.meaning], answers),
  ].join("\n");
}

/** Media type and schema of a request or response: "`application/json`, Health". */
function contentText(message: Json): string {
  const [[type, media] = ["", {}]] = Object.entries(objectAt(message, "content"));
  const reference = objectAt(media as JsonObject, "schema")["$ref"];
  const name = typeof reference === "string" ? `, ${reference.split("/").at(-1)}` : "";
  return `\`${type}\`${name}`;
}

function schemaText(
  name: string,
  { schema, translator }: { readonly schema: Json; readonly translator: Translator },
): string {
  const { words } = translator;
  return [
    `### ${name}`,
    "",
    table(
      [words.member, words.required, words.type, words.meaning],
      membersOf(schema, { prefix: "", translator }),
    ),
  ].join("\n");
}

/** A row a member, those of nested objects with their path. */
function membersOf(
  schema: Json,
  { prefix, translator }: { readonly prefix: string; readonly translator: Translator },
): string[][] {
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
      ...membersOf(member, { prefix: `${prefix}${name}.`, translator }),
    ];
  });
}

function typeText(schema: JsonObject, { words }: Translator): string {
  const types: Readonly<Record<string, string>> = words.types;
  const { type, format, enum: values, maxLength } = schema;
  if (Array.isArray(values)) {
    return fill(words.oneOf, {
      values: values.map((value) => `\`${String(value)}\``).join(", "),
    });
  }
  if (maxLength === 0) return words.empty;
  const name = typeof type === "string" ? types[type] ?? type : words.anything;
  return [
    name,
    ...(format === undefined ? [] : [` (${String(format)})`]),
    ...(maxLength === undefined ? [] : [`, ${fill(words.atMost, { count: String(maxLength) })}`]),
  ].join("");
}

/** Headers that every answer has are only named: readers look for the others. */
function headersText(document: Json, { words, t }: Translator): string {
  const headers = objectAt(objectAt(document, "components"), "headers");
  const answers = operationsOf(document)
    .flatMap(({ value }) => Object.values(objectAt(value, "responses")));
  const isCommon = (name: string) =>
    answers.every((answer) => name in objectAt(objectAt(answer), "headers"));
  const names = Object.keys(headers);
  const common = names.filter(isCommon).map((name) => `\`${name}\``).join(", ");
  const rows = names.filter((name) => !isCommon(name)).map((name) => {
    const header = headers[name];
    const { description, example } = objectAt(header);
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

/** A pipe would end the cell. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** The object at a member, or the value itself; empty if absent. */
function objectAt(value: Json | undefined, name?: string): JsonObject {
  const object = (value ?? {}) as JsonObject;
  return name === undefined ? object : objectAt(object[name]);
}
