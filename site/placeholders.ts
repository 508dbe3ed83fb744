/**
 * @module `{{site_name}}` and its like: facts about the installation, filled into a page's text.
 *
 * Values go in as they are: what they may do to markup is the renderer's business, which lets
 * nothing of a source through as HTML. There are no conditions, loops or includes.
 */

import type { Allowance } from "../schemas/values.ts";
import {
  contactLink,
  crawlerPolicy,
  operatorList,
  removal,
  sealing,
  storage,
} from "./fact_words.ts";
import type { SiteFacts } from "./facts.ts";
import { quantityText } from "./language.ts";
import type { SourceFault } from "./page_fault.ts";
import type { Locale } from "./page_path.ts";

const DAY_MS = 86_400_000;

/** Largest first. */
const UNITS = [
  { unit: "day", size: DAY_MS },
  { unit: "hour", size: 3_600_000 },
  { unit: "minute", size: 60_000 },
] as const;
const SECOND = { unit: "second", size: 1_000 } as const;

/** Placeholder names and their values in one language. */
export type PlaceholderValues = Readonly<Record<string, string>>;

/** The value of every placeholder that a page may use. */
export function placeholderValues(facts: SiteFacts, locale: Locale): PlaceholderValues {
  const { leadRateLimit, leadAttemptLimit } = facts;
  return {
    site_name: facts.siteName,
    site_url: facts.siteUrl,
    local_url: facts.localUrl,
    service_id: facts.serviceId,
    // A list: a block of its own.
    operator: operatorList(facts.operator, locale),
    // A link, inline.
    contact: contactLink(facts.contactEmail, locale),
    // A sentence.
    ai_policy: crawlerPolicy(facts.contentSignal, locale),
    // "20 in 10 minutes"
    lead_rate_limit: allowance(leadRateLimit, locale),
    lead_rate_limit_seconds: String(Math.round(leadRateLimit.windowMs / 1_000)),
    lead_attempt_limit: allowance(leadAttemptLimit, locale),
    // Rounded up: the pages say "at most", and must not promise an earlier end.
    lead_retention_days: String(Math.ceil(facts.leadRetentionMs / DAY_MS)),
    lead_storage: storage(facts.kvPath, locale),
    lead_removal: removal(facts.kvPath, locale),
    lead_sealing: sealing(facts.leadEncryptionKeys.length > 0, locale),
  };
}

/**
 * Fills in every placeholder. One that is unknown or not closed stays, and is a fault.
 *
 * @param options.line the text's first line in its source
 * @param options.faults gets the faults
 */
export function fillPlaceholders(
  text: string,
  { values, line, faults }: {
    readonly values: PlaceholderValues;
    readonly line: number;
    readonly faults: SourceFault[];
  },
): string {
  return text.replace(
    /\{\{(?:\s*(\w+)\s*\}\})?/g,
    (whole, name: string | undefined, at: number) => {
      if (name !== undefined && Object.hasOwn(values, name)) return values[name] ?? "";
      const state = name === undefined
        ? "`{{` opens no placeholder"
        : `the placeholder \`${name}\` is unknown; known are ${Object.keys(values).join(", ")}`;
      faults.push({ line: line + text.slice(0, at).split("\n").length - 1, state });
      return whole;
    },
  );
}

function allowance({ count, windowMs }: Allowance, locale: Locale): string {
  return `${count} in ${duration(windowMs, locale)}`;
}

/** In the largest unit that divides it: 600,000 is "10 minutes" or "10 Minuten". */
function duration(ms: number, locale: Locale): string {
  const { unit, size } = UNITS.find((each) => ms % each.size === 0) ?? SECOND;
  return quantityText(ms / size, unit, locale);
}
