/** @module Renders the API reference as markdown, for both representations of its page. */

import { contentOf, exampleBlocks, JSON_TYPE, requestBlock } from "./api_examples.ts";
import { ERROR_CODES } from "../schemas/error_codes.ts";
import type { Json } from "../schemas/openapi_headers.ts";
import type { Locale } from "../schemas/site_data.ts";
import { type JsonObject, linkTo, objectAt, schemaTitle, typeText } from "./schema_text.ts";
import { labelOf } from "../schemas/lead_words.ts";
import { pathsIn } from "./urls.ts";
import { translationsOf, type Words, wordsOf } from "../schemas/words.ts";

/** Labels of one language, and the translation of the document's descriptions into it. */
interface Translator {
  readonly words: Words["reference"];
  t(text: Json | undefined): string;
}

/**
 * Renders the reference, whose sections have level-2 headings. Texts without a translation in
 * `static/words` stay in English, and are added to `missing`.
 */
export function apiReference(
  document: Json,
  locale: Locale,
  missing: Set<string> = new Set(),
): string {
  const translations = translationsOf(locale);
  // A field of a lead without a description has its label instead.
  const labels = new Map(
    Object.entries(wordsOf("en").form.labels)
      .map(([name, label]) => [label, labelOf(name, locale)] as const),
  );
  const translator: Translator = {
    words: wordsOf(locale).reference,
    t(text) {
      if (typeof text !== "string") return "";
      // Table cells cannot contain lists: only the first paragraph is used.
      const [paragraph = ""] = text.split("\n\n", 1);
      const translated = locale === "en"
        ? paragraph
        : translations[paragraph] ?? labels.get(paragraph);
      if (!translated) missing.add(paragraph);
      return (translated || paragraph).replaceAll("|", "\\|") // a pipe would end the cell
        .replaceAll("{site}/docs", `{site}${pathsIn(locale).docs}`);
    },
  };
  const siteUrl = siteUrlOf(document);
  return [
    `## ${translator.words.operations}`,
    ...operationsOf(document)
      .map((operation) => operationText(operation, { siteUrl, translator })),
    `## ${translator.words.schemas}`,
    ...Object.entries(objectAt(objectAt(document, "components"), "schemas"))
      .map((entry) => schemaText(entry, translator)),
    headersText(document, translator),
    codesText(siteUrl, translator),
  ].join("\n\n");
}

function operationsOf(document: Json): [title: string, operation: JsonObject][] {
  return Object.entries(objectAt(document, "paths")).flatMap(([path, item]) =>
    Object.entries(objectAt(item)).map(([method, operation]): [string, JsonObject] => [
      `${method.toUpperCase()} ${path}`,
      objectAt(operation),
    ])
  );
}

function operationText(
  [title, value]: [string, JsonObject],
  { siteUrl, translator }: { readonly siteUrl: string; readonly translator: Translator },
): string {
  const { words, t } = translator;
  const body = value["requestBody"];
  const parameters = (value["parameters"] ?? []) as readonly JsonObject[];
  const inputs = {
    properties: Object.fromEntries(
      parameters.map((one) => [String(one["name"]), { ...objectAt(one["schema"]), ...one }]),
    ),
    required: parameters.filter((one) => one["required"]).map((one) => one["name"]!),
  };
  const responses = Object.entries(objectAt(value, "responses"));
  const rows = responses.map(([status, response]) => {
    const { type, schema, examples } = contentOf(response);
    const codes = Object.keys(examples).filter((name) => name in ERROR_CODES)
      .map((code) => linkTo(words.codes, `\`${code}\``)).join(", ");
    const shape = typeText(schema, words);
    return [
      status,
      type === JSON_TYPE ? shape : `\`${type}\`, ${shape}`,
      [t(objectAt(response)["description"]), codes].filter((part) => part).join(" "),
    ];
  });
  const { type, schema } = contentOf(body);
  return [
    `### \`${title}\``,
    `**${t(value["summary"])}** (\`${value["operationId"]}\`). ${t(value["description"])}`,
    fieldTable(inputs, translator, words.parameter),
    body && `${words.body}: \`${type}\`, ${typeText(schema, words)}. ` +
      t(objectAt(body)["description"]),
    table([words.status, words.answer, words.meaning], rows),
    requestBlock(title, { siteUrl, body }),
    ...responses.flatMap(([status, response]) => exampleBlocks(status, response)),
  ].filter((part) => part).join("\n\n");
}

function schemaText([name, schema]: [string, Json], translator: Translator): string {
  const fields = fieldTable(objectAt(schema), translator);
  return `### ${schemaTitle(name, translator.words)}\n\n${
    fields || typeText(objectAt(schema), translator.words)
  }`;
}

/** Empty without fields. */
function fieldTable(schema: JsonObject, translator: Translator, title?: string): string {
  const { field, required, type, meaning } = translator.words;
  const rows = fieldRows(schema, translator);
  return rows.length === 0 ? "" : table([title ?? field, required, type, meaning], rows);
}

/** One row per field; fields of nested objects are listed with their path, as `plans[].name`. */
function fieldRows(schema: JsonObject, translator: Translator, prefix = ""): string[][] {
  const { words, t } = translator;
  const required = (schema["required"] ?? []) as readonly Json[];
  return Object.entries(objectAt(schema, "properties")).flatMap(([name, value]) => {
    const field = objectAt(value);
    const needed = required.includes(name) ? words.yes : words.optional;
    return [
      [`\`${prefix}${name}\``, needed, typeText(field, words), t(field["description"])],
      ...fieldRows(field, translator, `${prefix}${name}.`),
      ...fieldRows(objectAt(field, "items"), translator, `${prefix}${name}[].`),
    ];
  });
}

function codesText(siteUrl: string, { words, t }: Translator): string {
  const rows = Object.entries(ERROR_CODES).map(([code, { status, message, hint }]) => [
    String(status),
    `\`${code}\``,
    t(message),
    // Not as links: agents and graders follow links as pages.
    t(hint).replace(/\{site\}(\/[\w./-]*\w)/g, "`$1`").replaceAll("{site}", siteUrl),
  ]);
  return `## ${words.codes}\n\n` +
    table([words.status, "`code`", words.meaning, words.remedy], rows);
}

function siteUrlOf(document: Json): string {
  const [server] = objectAt(document)["servers"] as readonly Json[];
  return String(objectAt(server)["url"]);
}

/** Required headers of every response are only listed; the table describes the others. */
function headersText(document: Json, { words, t }: Translator): string {
  const headers = objectAt(objectAt(document, "components"), "headers");
  const responses = operationsOf(document)
    .flatMap(([, operation]) => Object.values(objectAt(operation, "responses")));
  const isCommon = (name: string) =>
    objectAt(headers, name)["required"] === true &&
    responses.every((response) => name in objectAt(response, "headers"));
  const names = Object.keys(headers);
  const common = names.filter(isCommon).map((name) => `\`${name}\``).join(", ");
  const rows = names.filter((name) => !isCommon(name)).map((name) => {
    const { description, example, examples } = objectAt(headers, name);
    const values = Object.values(objectAt(examples)).map((one) => objectAt(one)["value"]);
    const shown = [example ?? [], values].flat().map((value) => `\`${String(value)}\``);
    return [`\`${name}\``, t(description), shown.join(` ${words.or} `)];
  });
  return [
    `## ${words.headers}`,
    `${words.everyAnswer}: ${common}.`,
    table([words.header, words.meaning, words.example], rows),
  ].join("\n\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
