/**
 * @module `{{site_name}}` and its like: facts about the installation, filled into a page's text.
 *
 * Values go in as they are: what they may do to markup is the renderer's business, which lets
 * nothing of a source through as HTML. There are no conditions, loops or includes.
 */

import type { FactAllowance, SiteFacts } from "./facts.ts";
import { PageFault } from "./page_fault.ts";
import type { Locale } from "./page_path.ts";

const DAY_MS = 86_400_000;

const UNITS = [
  { unit: "day", ms: DAY_MS },
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
  { unit: "second", ms: 1_000 },
] as const;

/** Placeholder names and what stands for them in one language. */
export type PlaceholderValues = Readonly<Record<string, string>>;

/** The value of every placeholder that a page may use. */
export function placeholderValues(facts: SiteFacts, locale: Locale): PlaceholderValues {
  const { leadRateLimit, leadAttemptLimit } = facts;
  return {
    site_name: facts.siteName,
    site_url: facts.siteUrl,
    local_url: facts.localUrl,
    service_id: facts.serviceId,
    /** "20 in 10 minutes" */
    lead_rate_limit: allowance(leadRateLimit, locale),
    lead_rate_limit_count: String(leadRateLimit.count),
    lead_rate_limit_seconds: String(Math.round(leadRateLimit.windowMs / 1_000)),
    lead_attempt_limit: allowance(leadAttemptLimit, locale),
    lead_attempt_limit_count: String(leadAttemptLimit.count),
    lead_attempt_limit_seconds: String(Math.round(leadAttemptLimit.windowMs / 1_000)),
    /** Rounded up: the pages say "at most", and must not promise an earlier end. */
    lead_retention_days: String(Math.ceil(facts.leadRetentionMs / DAY_MS)),
    lead_storage: STORAGE[storageOf(facts.kvPath)][locale],
    lead_sealing: SEALING[facts.leadEncryptionKeys.length > 0 ? "sealed" : "open"][locale],
  };
}

type Storage = "platform" | "remote" | "local";

/** Where leads are kept; Deno documents the region of its hosted database. */
const STORAGE: Readonly<Record<Storage, Readonly<Record<Locale, string>>>> = {
  platform: {
    en:
      "the Deno KV database of Deno Deploy, whose primary region is us-east4 in the United States",
    de: "der Deno-KV-Datenbank von Deno Deploy, deren Hauptregion us-east4 in den USA ist",
  },
  remote: {
    en: "a Deno KV database that the operator has chosen, reached over the network",
    de: "einer vom Betreiber gewählten Deno-KV-Datenbank, die über das Netz erreicht wird",
  },
  local: {
    en: "a database file on the computer that the service runs on",
    de: "einer Datenbankdatei auf dem Rechner, auf dem der Dienst läuft",
  },
};

const SEALING: Readonly<Record<"sealed" | "open", Readonly<Record<Locale, string>>>> = {
  sealed: {
    en: "What you wrote is sealed there (AES-256-GCM); the key is not in the database.",
    de: "Was Sie geschrieben haben, liegt dort verschlüsselt (AES-256-GCM); der Schlüssel ist " +
      "nicht in der Datenbank.",
  },
  open: {
    en: "The service itself does not encrypt it there.",
    de: "Der Dienst selbst verschlüsselt sie dort nicht.",
  },
};

function storageOf(kvPath: string | undefined): Storage {
  if (kvPath === undefined) return "platform";
  return /^https?:/.test(kvPath) ? "remote" : "local";
}

/**
 * Fills in every placeholder.
 *
 * @param at.file the source that the text is from
 * @param at.line the text's first line in it
 * @throws {PageFault} at a placeholder that is unknown or not closed
 */
export function fillPlaceholders(
  text: string,
  { values, file, line }: {
    readonly values: PlaceholderValues;
    readonly file: string;
    readonly line: number;
  },
): string {
  return text.replace(
    /\{\{(?:\s*(\w+)\s*\}\})?/g,
    (_whole, name: string | undefined, at: number) => {
      if (name !== undefined && Object.hasOwn(values, name)) return values[name] ?? "";
      const state = name === undefined
        ? "`{{` opens no placeholder"
        : `the placeholder \`${name}\` is unknown; known are ${Object.keys(values).join(", ")}`;
      throw new PageFault(file, { line: line + text.slice(0, at).split("\n").length - 1, state });
    },
  );
}

function allowance({ count, windowMs }: FactAllowance, locale: Locale): string {
  return `${count} in ${duration(windowMs, locale)}`;
}

/** In the largest unit that divides it: 600,000 is "10 minutes" or "10 Minuten". */
function duration(ms: number, locale: Locale): string {
  const { unit, ms: size } = UNITS.find((entry) => ms % entry.ms === 0) ??
    { unit: "second", ms: 1_000 };
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" })
    .format(ms / size);
}
