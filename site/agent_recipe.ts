/**
 * @module How an agent sends an enquiry, in one recipe without headings, for llms.txt and the skill.
 *
 * The fields and their limits are the published schema's, the rates are the configured ones.
 */

import { isRequired, TEST_LEADS } from "../schemas/lead.ts";
import { labelOf } from "../schemas/lead_words.ts";
import { openApiDocument } from "../schemas/openapi.ts";
import { numberText } from "./language.ts";
import { DEFAULT_LOCALE, type Locale, LOCALES } from "../schemas/site_data.ts";
import { placeholderValues, type SiteFacts } from "./placeholders.ts";
import { type JsonObject, objectAt } from "./schema_text.ts";
import { fill, wordsOf } from "../schemas/words.ts";

export function enquiryText(locale: Locale, facts: SiteFacts): string {
  const words = wordsOf(locale).enquiry;
  const texts: Readonly<Record<string, string>> = {
    ...words.example,
    // English texts do not mean that the API takes English.
    locale: LOCALES.includes(locale) ? locale : DEFAULT_LOCALE,
  };
  const example = Object.entries(TEST_LEADS.complete)
    .filter(([name]) => isRequired(name) || name in texts)
    .map(([name, value]) => [name, texts[name] ?? value]);
  const body = JSON.stringify(Object.fromEntries(example));
  const schemas = objectAt(objectAt(openApiDocument(facts), "components"), "schemas");
  return [
    words.consent,
    "",
    "```bash",
    `curl ${facts.siteUrl}/api/lead \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body}'`,
    "```",
    "",
    words.test,
    "",
    ...fieldLines(objectAt(schemas, "LeadRequest"), locale),
    "",
    words.answers,
    "",
    ...words.answer.map((text) => `- ${fill(text, placeholderValues(facts, locale))}`),
  ].join("\n");
}

/** A line for each field, such as "`company` (required; at most 120 characters): …". */
function fieldLines(schema: JsonObject, locale: Locale): string[] {
  const { enquiry: words, reference: { ranges, units } } = wordsOf(locale);
  const meanings: Readonly<Record<string, string>> = words.fields;
  const required = schema["required"] as readonly string[];
  return Object.entries(objectAt(schema, "properties")).map(([name, value]) => {
    const { enum: values, maxLength } = objectAt(value);
    const max = maxLength && `${numberText(Number(maxLength), locale)} ${units.characters[1]}`;
    const rules = [
      required.includes(name) && words.required,
      Array.isArray(values) && values.map((one) => `\`${one}\``).join(", "),
      max && fill(ranges.atMost, { max }),
    ].filter((rule) => rule);
    const note = rules.length > 0 ? ` (${rules.join("; ")})` : "";
    return `- \`${name}\`${note}: ${meanings[name] ?? labelOf(name, locale)}`;
  });
}
