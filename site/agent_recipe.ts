/**
 * @module How an agent sends an enquiry, in one recipe without headings, for llms.txt and the skill.
 *
 * The fields and their limits are the published schema's, the rates are the configured ones.
 */

import { isRequired, LEAD_RULES, TEST_LEADS } from "../schemas/lead.ts";
import { labelOf } from "../schemas/lead_words.ts";
import { numberText } from "./language.ts";
import { DEFAULT_LOCALE, type Locale, LOCALES } from "../schemas/site_data.ts";
import { limitText, type SiteFacts } from "./placeholders.ts";
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
  const limits = {
    lead_rate_limit: limitText(facts.leadRateLimit, locale),
    lead_attempt_limit: limitText(facts.leadAttemptLimit, locale),
  };
  return [
    words.consent,
    "",
    "```bash",
    `curl -i ${facts.siteUrl}/api/lead \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body}'`,
    "```",
    "",
    words.test,
    "",
    ...fieldLines(locale),
    "",
    words.answers,
    "",
    ...words.answer.map((text) => `- ${fill(text, limits)}`),
  ].join("\n");
}

/** A line for each field, such as "`company` (required; at most 120 characters): …". */
function fieldLines(locale: Locale): string[] {
  const { enquiry: words, reference: { ranges, units } } = wordsOf(locale);
  const meanings: Readonly<Record<string, string>> = words.fields;
  return Object.entries(LEAD_RULES).map(([name, { enum: values, maxLength }]) => {
    const max = maxLength && `${numberText(maxLength, locale)} ${units.characters[1]}`;
    const rules = [
      isRequired(name) && words.required,
      values?.map((one) => `\`${one}\``).join(", "),
      max && fill(ranges.atMost, { max }),
    ].filter((rule) => rule);
    const note = rules.length > 0 ? ` (${rules.join("; ")})` : "";
    return `- \`${name}\`${note}: ${meanings[name] ?? labelOf(name, locale)}`;
  });
}
