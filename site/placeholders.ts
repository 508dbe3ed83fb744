/** @module Placeholders such as `{{site_name}}`; the renderer escapes their values, as all HTML. */

import { DAY_MS } from "../lib/clock.ts";
import type { DocumentFacts } from "../schemas/openapi.ts";
import type { Config, ContentSignal, RateLimit } from "../config/settings.ts";
import { isNetworked } from "../lib/kv_path.ts";
import { type Locale, LOCALES, type SiteData } from "../schemas/site_data.ts";
import { languageName, timeText } from "./language.ts";
import type { SourceProblem } from "./source_problem.ts";
import { localePrefix, pathsIn } from "./urls.ts";
import { fill, wordsOf } from "../schemas/words.ts";

/** Units of time in milliseconds, the largest first. */
const UNITS = [["day", DAY_MS], ["hour", 3_600_000], ["minute", 60_000]] as const;

/** The settings of an installation that its pages mention. */
export interface SiteFacts
  extends
    DocumentFacts,
    Pick<Config, "leadRateLimit" | "leadAttemptLimit" | "leadRetentionMs" | "kvPath"> {
  readonly brand: SiteData;
  /** Name and address of the operator, as lines of plain text; none: a made-up one. */
  readonly operator: readonly string[];
  /** Undefined: the pages name the contact form instead. */
  readonly contactEmail: string | undefined;
  readonly contentSignal: ContentSignal;
  /** With at least one key, personal data is encrypted at rest. */
  readonly leadEncryptionKeys: readonly unknown[];
}

/** Values by name, made when a text asks for them: the first number in a language takes 6 ms. */
export type PlaceholderValues = Readonly<Record<string, () => string>>;

/** What any text can mention; the body of a page also knows those of `page_text.ts`. */
export function placeholderValues(facts: SiteFacts, locale: Locale): PlaceholderValues {
  const { operator, contactEmail, kvPath, leadRateLimit, leadAttemptLimit } = facts;
  const words = wordsOf(locale).facts;
  const signals = Object.entries(facts.contentSignal)
    .map(([purpose, allowed]) => [purpose, allowed ? words.yes : words.no]);
  const languages = [locale, ...LOCALES.filter((other) => other !== locale)];
  // With the language, because a link without one leads to the page's own.
  const linksTo = (name: "llms" | "llmsFull", file: string) =>
    languages.map((one) => `[${pathsIn(one)[name]}](/${one}/${file})`).join(", ");
  const reach = isNetworked(kvPath) ? "remote" : "local";
  return {
    site_name: () => facts.siteName,
    site_url: () => facts.siteUrl,
    pages_url: () => facts.siteUrl + localePrefix(locale),
    local_url: () => facts.localUrl,
    languages: () =>
      new Intl.ListFormat(wordsOf(locale).tag, { type: "disjunction" })
        .format(languages.map((one) => languageName(one, locale))),
    locales: () => LOCALES.join(", "),
    llms_links: () => linksTo("llms", "llms.txt"),
    llms_full_links: () => linksTo("llmsFull", "llms-full.txt"),
    service_id: () => facts.serviceId,
    operator: () =>
      (operator.length > 0 ? operator : words.madeUpOperator)
        .map((line) => `- ${escapeMarkdown(line)}`).join("\n"),
    contact: () =>
      contactEmail === undefined
        ? `[${words.contactForm}](${pathsIn(locale).contact})`
        : `[${escapeMarkdown(contactEmail)}](mailto:${encodeURI(contactEmail)})`,
    ai_policy: () => fill(words.crawlers, Object.fromEntries(signals)),
    lead_rate_limit: () => limitText(leadRateLimit, locale),
    lead_rate_limit_seconds: () => String(Math.round(leadRateLimit.windowMs / 1_000)),
    lead_attempt_limit: () => limitText(leadAttemptLimit, locale),
    // Rounded up: the pages say "at most".
    lead_retention_days: () => String(Math.ceil(facts.leadRetentionMs / DAY_MS)),
    lead_storage: () => words.storage[kvPath === undefined ? "platform" : reach],
    lead_removal: () => words.removal[reach],
    lead_sealing: () => words.sealing[facts.leadEncryptionKeys.length > 0 ? "sealed" : "open"],
  };
}

/** For {@link withPassages}. */
export function conditionsOf(
  { country, languages, plans }: SiteData,
): Readonly<Record<string, boolean>> {
  return { germany: country === "DE", languages: languages.length > 1, plans: plans.length > 0 };
}

/**
 * Keeps passages of a line for some sites: `{{#plans}}…{{/plans}}` where the condition holds, and
 * `{{^plans}}…{{/plans}}` where it does not (the sections of Mustache).
 *
 * @returns undefined if that leaves nothing of the line
 */
export function withPassages(
  line: string,
  conditions: Readonly<Record<string, boolean>>,
): string | undefined {
  const kept = line.replace(
    /\{\{([#^])(\w+)\}\}(.*?)\{\{\/\2\}\}/g,
    (whole, mark: string, name: string, passage: string) => {
      const holds = Object.hasOwn(conditions, name) ? conditions[name] : undefined;
      if (holds === undefined) return whole;
      return holds === (mark === "#") ? passage : "";
    },
  );
  return kept === "" && line !== "" ? undefined : kept;
}

/** The lines that are left of a text, by number; of the blank ones around lines that go, one stays. */
export function keptLines(
  text: string,
  conditions: Readonly<Record<string, boolean>>,
): { readonly text: string; readonly at: number }[] {
  const kept: { text: string; at: number }[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    const text = withPassages(line, conditions);
    const before = kept.at(-1);
    const isSpare = text === "" && before?.text === "" && before.at < at - 1;
    if (text !== undefined && !isSpare) kept.push({ text, at });
  }
  return kept;
}

/**
 * Fills in the placeholders; adds unknown and malformed ones to `problems` and leaves them.
 *
 * @param options.prose the text with its code blanked, if it is markdown: there the name of the site is
 * escaped
 */
export function fillPlaceholders(
  text: string,
  { values, line, problems, prose = "" }: {
    readonly values: PlaceholderValues;
    readonly line: number;
    readonly problems: SourceProblem[];
    readonly prose?: string | undefined;
  },
): string {
  return text.replace(
    /\{\{(?:\s*(\w+)\s*\}\})?/g,
    (whole, name: string | undefined, at: number) => {
      if (name !== undefined && Object.hasOwn(values, name)) {
        const value = values[name]!();
        return name === "site_name" && prose[at] === "{" ? escapeMarkdown(value) : value;
      }
      const state = name === undefined
        ? "`{{` must be followed by the name of a placeholder and `}}`"
        : `the placeholder \`${name}\` is unknown; known are ${Object.keys(values).join(", ")}`;
      problems.push({ line, state });
      return whole;
    },
  );
}

/** Escapes plain text for markdown: markup, entities, list markers at the beginning. */
export function escapeMarkdown(text: string): string {
  return text.replace(
    /[\\`*_[\]<>#|~]|&(?=#?\w+;)|^[-+](?=\s)|^[-=](?=[-=\s]*$)|(?<=^\d+)[.)](?=\s)/g,
    "\\$&",
  );
}

/** Formats a limit with the largest unit that divides its window: "20 in 10 minutes". */
export function limitText({ count, windowMs }: RateLimit, locale: Locale): string {
  const [unit, size] = UNITS.find(([, ms]) => windowMs % ms === 0) ?? ["second", 1_000] as const;
  return `${count} in ${timeText(windowMs / size, unit, locale)}`;
}
