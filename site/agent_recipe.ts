/**
 * @module How an agent sends an enquiry, in one recipe without headings, for llms.txt and the skill.
 *
 * The fields and their limits are the published schema's, the rates are the configured ones.
 */

import type { LeadRequest } from "../schemas/lead.ts";
import { openApiDocument } from "../schemas/openapi.ts";
import { numberText } from "./language.ts";
import { DEFAULT_LOCALE, type Locale, LOCALES } from "../schemas/site_data.ts";
import { placeholderValues, type SiteFacts } from "./placeholders.ts";
import { type JsonObject, objectAt } from "./schema_text.ts";
import { fill, wordsOf } from "../schemas/words.ts";

export function enquiryText(locale: Locale, facts: SiteFacts): string {
  const words = wordsOf(locale).enquiry;
  // English texts do not mean that the API takes English.
  const answered = LOCALES.includes(locale) ? locale : DEFAULT_LOCALE;
  const body = JSON.stringify({ email: "ada@example.invalid", ...words.example, locale: answered });
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
  // A field without words fails the type check.
  const meanings: Readonly<Record<keyof LeadRequest, string>> = words.fields;
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
    return `- \`${name}\`${note}: ${meanings[name as keyof LeadRequest]}`;
  });
}
