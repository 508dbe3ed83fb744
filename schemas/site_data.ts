/** @module What the owner of the site decides once: `static/site.json`. */

import data from "../static/site.json" with { type: "json" };

/** `static/site.json`. */
export interface SiteData {
  /** The name of the site, also in its pictures. */
  readonly name: string;
  readonly serviceId: string;
  /** The languages of the site and of leads (ISO 639-1); the first has no path prefix. */
  readonly languages: readonly string[];
  /** The plans that an enquiry can name; besides, it can leave the choice open. Empty: no such field. */
  readonly plans: readonly string[];
  /** Where the operator is based (ISO 3166-1). */
  readonly country?: string;
  /** The background colours of pages, which `deno task pictures` writes. */
  readonly theme?: { readonly light: string; readonly dark: string };
}

/** The file may hold anything: the configuration reports {@link siteProblems}. */
export const SITE: SiteData = { ...{ languages: ["en"], plans: [] }, ...data };

/** A language of the site, such as `de`. */
export type Locale = string;

export const LOCALES: readonly Locale[] = SITE.languages;

/** What is wrong with lists of the file, each as a sentence without its end. */
export function siteProblems({ languages, plans }: SiteData): string[] {
  return [
    ...isListOf(languages, /^[a-z]{2}$/) && languages.length > 0
      ? []
      : ['languages (set in static/site.json) must be a list such as ["en", "de"]'],
    ...isListOf(plans, /^(?!unspecified$)[a-z0-9][a-z0-9-]{0,39}$/)
      ? []
      : ['plans (set in static/site.json) must be a list such as ["pro", "team"], or []'],
  ];
}

function isListOf(value: unknown, pattern: RegExp): boolean {
  return Array.isArray(value) && new Set(value).size === value.length &&
    value.every((one) => typeof one === "string" && pattern.test(one));
}

/** The language without path prefix, also `x-default`. */
export const DEFAULT_LOCALE: Locale = LOCALES[0] ?? "en";
