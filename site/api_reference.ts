/** @module Renders the API reference as markdown, for both representations of its page. */

import { contentOf, exampleBlocks, requestBlocks } from "./api_examples.ts";
import { ERROR_CODES, errorAnchor } from "../schemas/error_codes.ts";
import type { Json } from "../schemas/openapi_headers.ts";
import type { Locale } from "../schemas/site_data.ts";
import { type JsonObject, objectAt, type Terms, typeText } from "./schema_text.ts";
import { labelOf } from "../schemas/lead_words.ts";
import { slug } from "./links.ts";
import { pathsIn, TRIED } from "./urls.ts";
import { fill, translationsOf, wordsOf } from "../schemas/words.ts";

/** The document in one language. */
interface Translator extends Terms {
  readonly siteUrl: string;
  /** The schemas by name. */
  readonly schemas: JsonObject;
  /** The operations, by their titles, that describe a schema which nothing else refers to. */
  readonly owners: ReadonlyMap<string, string>;
  /** Translates a description of the document. */
  t(text: Json | undefined): string;
}

type Operation = readonly [title: string, operation: JsonObject];

/**
 * Renders the reference, whose sections have level-2 headings. Texts without a translation in
 * `static/words` stay in English, and are added to `missing`.
 */
export function apiReference(
  document: Json,
  locale: Locale,
  missing: Set<string> = new Set(),
): string {
  const translator = translatorOf(document, locale, missing);
  const { words, schemas, owners } = translator;
  const shared = Object.entries(schemas).filter(([name]) => !owners.has(name));
  return [
    `## ${words.operations}`,
    ...operationsOf(document).map((operation) => operationText(operation, translator)),
    `## ${words.schemas}`,
    ...shared.map(([name, schema]) => {
      const title = fill(words.schema, { name });
      return `### ${title}\n\n${schemaText(objectAt(schema), translator)}`;
    }),
    headersText(document, translator),
    codesText(translator),
  ].join("\n\n");
}

function translatorOf(document: Json, locale: Locale, missing: Set<string>): Translator {
  const words = wordsOf(locale).reference;
  const translations = translationsOf(locale);
  // A field of a lead without a description has its label instead.
  const labels = new Map(
    Object.entries(wordsOf("en").form.labels)
      .map(([name, label]) => [label, labelOf(name, locale)] as const),
  );
  const owners = ownersOf(document);
  const [server] = objectAt(document)["servers"] as readonly Json[];
  return {
    words,
    owners,
    siteUrl: String(objectAt(server)["url"]),
    schemas: objectAt(objectAt(document, "components"), "schemas"),
    schemaLink: (name) => `[${name}](#${slug(owners.get(name) ?? fill(words.schema, { name }))})`,
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
}

function ownersOf(document: Json): Map<string, string> {
  const references = JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g) ?? [];
  return new Map(
    operationsOf(document).flatMap(([title, operation]) =>
      [operation["requestBody"], ...Object.values(objectAt(operation, "responses"))]
        .map((message) => contentOf(message).schema["$ref"])
        .filter((ref) => typeof ref === "string")
        .filter((ref) => references.filter((other) => other === ref).length === 1)
        .map((ref) => [ref.split("/").at(-1)!, title] as const)
    ),
  );
}

function operationsOf(document: Json): Operation[] {
  return Object.entries(objectAt(document, "paths")).flatMap(([path, item]) =>
    Object.entries(objectAt(item)).map(([method, operation]): Operation => [
      `${method.toUpperCase()} ${path}`,
      objectAt(operation),
    ])
  );
}

function operationText([title, operation]: Operation, translator: Translator): string {
  const { siteUrl, words, t } = translator;
  const body = operation["requestBody"];
  const parameters = (operation["parameters"] ?? []) as readonly JsonObject[];
  const inputs = {
    properties: Object.fromEntries(
      parameters.map((one) => [String(one["name"]), { ...objectAt(one["schema"]), ...one }]),
    ),
    required: parameters.filter((one) => one["required"]).map((one) => one["name"]!),
  };
  const responses = Object.entries(objectAt(operation, "responses"));
  const isError = ([status]: [string, Json]) => Number(status) >= 400;
  const errors = responses.filter(isError);
  return [
    `### \`${title}\``,
    `**${t(operation["summary"])}** (\`${operation["operationId"]}\`). ` +
    t(operation["description"]),
    TRIED.includes(title) && `[${words.tryIt}](/docs?try=${title.split(" ")[1]})`,
    parameters.length > 0 && `#### ${words.parameters}\n\n${fieldTable(inputs, translator)}`,
    body && `#### ${words.body}\n\n${messageText(body, translator)}`,
    `#### ${words.answer}`,
    ...responses.filter((one) => !isError(one))
      .map(([status, response]) => `\`${status}\`, ${messageText(response, translator)}`),
    errors.length > 0 && errorsText(errors, translator),
    ...requestBlocks(title, { siteUrl, body }),
    ...responses.flatMap(([status, response]) => exampleBlocks(status, response)),
  ].filter((part) => part).join("\n\n");
}

/** A request or a successful response, with its fields where no other message has them. */
function messageText(message: Json, translator: Translator): string {
  const { owners, schemas, t } = translator;
  const { type, schema } = contentOf(message);
  const name = String(schema["$ref"]).split("/").at(-1)!;
  const isOwn = owners.has(name);
  const fields = isOwn ? `\n\n${schemaText(objectAt(schemas, name), translator)}` : "";
  const shape = isOwn ? name : typeText(schema, translator);
  return `\`${type}\`, ${shape}: ${t(objectAt(message)["description"])}${fields}`;
}

function errorsText(errors: readonly [string, Json][], translator: Translator): string {
  const { words, t } = translator;
  const shapes = errors.map(([, error]) => typeText(contentOf(error).schema, translator));
  const rows = errors.map(([status, error]) => {
    const codes = Object.keys(contentOf(error).examples).filter((name) => name in ERROR_CODES);
    return [status, codes.map(codeLink).join(", "), t(objectAt(error)["description"])];
  });
  const head = [words.status, "`code`", words.meaning];
  return `#### ${words.errors}\n\n${words.shape}: ${[...new Set(shapes)].join(` ${words.or} `)}.` +
    `\n\n${table(head, rows)}`;
}

/** To the row of the code, of which it is the name there. */
function codeLink(code: string): string {
  return `[\`${code}\`](#${errorAnchor(code)})`;
}

function schemaText(schema: JsonObject, translator: Translator): string {
  return fieldTable(schema, translator) || typeText(schema, translator);
}

/** Empty without fields. */
function fieldTable(schema: JsonObject, translator: Translator): string {
  const { field, required, type, meaning } = translator.words;
  const rows = fieldRows(schema, translator);
  return rows.length === 0 ? "" : table([field, required, type, meaning], rows);
}

/** One row per field; fields of nested objects are listed with their path, as `plans[].name`. */
function fieldRows(schema: JsonObject, translator: Translator, prefix = ""): string[][] {
  const { words, t } = translator;
  const required = (schema["required"] ?? []) as readonly Json[];
  const [sample] = (schema["examples"] ?? []) as readonly JsonObject[];
  return Object.entries(objectAt(schema, "properties")).flatMap(([name, value]) => {
    const field = objectAt(value);
    const needed = required.includes(name) ? words.yes : words.optional;
    const example = field["enum"] ? undefined : sample?.[name];
    const meaning = typeof example === "string" ? ` ${words.example}: \`${example}\`` : "";
    return [
      [
        `\`${prefix}${name}\``,
        needed,
        typeText(field, translator),
        t(field["description"]) + meaning,
      ],
      ...fieldRows(field, translator, `${prefix}${name}.`),
      ...fieldRows(objectAt(field, "items"), translator, `${prefix}${name}[].`),
    ];
  });
}

function codesText({ siteUrl, words, t }: Translator): string {
  const rows = Object.entries(ERROR_CODES).map(([code, { status, message, hint }]) => [
    codeLink(code),
    String(status),
    t(message),
    // Not as links: agents and graders follow links as pages.
    t(hint).replace(/\{site\}(\/[\w./-]*\w)/g, "`$1`").replaceAll("{site}", siteUrl),
  ]);
  return `## ${words.codes}\n\n` +
    table(["`code`", words.status, words.meaning, words.remedy], rows);
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
