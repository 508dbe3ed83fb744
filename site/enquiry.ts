/**
 * @module How an agent sends an enquiry, in one recipe without headings, for llms.txt and the skill.
 *
 * The fields and their limits are the published schema's, the rates are the configured ones.
 */

import type { LeadRequest } from "../schemas/lead.ts";
import { openApiDocument } from "../schemas/openapi.ts";
import { numberText } from "./language.ts";
import type { Locale } from "./page_path.ts";
import { placeholderValues, type SiteFacts } from "./placeholders.ts";
import { fill, WORDS } from "./words.ts";

/** The members of JSON Schema that LeadRequest uses. */
interface Field {
  readonly enum?: readonly string[];
  readonly maxLength?: number;
}

interface ObjectSchema {
  readonly properties: Readonly<Record<keyof LeadRequest, Field>>;
  readonly required: readonly string[];
}

export function enquiryText(locale: Locale, facts: SiteFacts): string {
  const words = WORDS[locale].enquiry;
  const body = JSON.stringify({ email: "ada@example.invalid", ...words.example, locale });
  const { components } = openApiDocument(facts) as unknown as {
    readonly components: { readonly schemas: { readonly LeadRequest: ObjectSchema } };
  };
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
    ...fieldLines(components.schemas.LeadRequest, locale),
    "",
    words.answers,
    "",
    ...words.answer.map((text) => `- ${fill(text, placeholderValues(facts, locale))}`),
  ].join("\n");
}

/** A line for each field, such as "`company` (required; at most 120 characters): …". */
function fieldLines({ properties, required }: ObjectSchema, locale: Locale): string[] {
  const { enquiry: words, reference: { ranges, units } } = WORDS[locale];
  // A field without words fails the type check.
  const meanings: Readonly<Record<keyof LeadRequest, string>> = words.fields;
  const fields = Object.entries(properties) as [keyof LeadRequest, Field][];
  return fields.map(([name, { enum: values, maxLength }]) => {
    const rules = [
      ...(required.includes(name) ? [words.required] : []),
      ...(values ? [values.map((value) => `\`${value}\``).join(", ")] : []),
      ...(maxLength
        ? [fill(ranges.atMost, { max: `${numberText(maxLength, locale)} ${units.characters[1]}` })]
        : []),
    ];
    return `- \`${name}\`${rules.length > 0 ? ` (${rules.join("; ")})` : ""}: ${meanings[name]}`;
  });
}
