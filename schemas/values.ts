/** @module Values that several rooms share: the configuration reads them, leads and pages use them. */

/** `count` requests within `windowMs` milliseconds. */
export interface Allowance {
  readonly count: number;
  readonly windowMs: number;
}

/** A key and the id by which sealed content refers to it. */
export interface SealingKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** A receiver of leads, as configured. */
export interface TargetSetting {
  /** Identifies its queue: with a changed URL it is still the same target. */
  readonly name: string;
  readonly url: URL;
  /** Header fields of every request to it, by lower-case name; their values may be secrets. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The settings of the lead pipeline; durations in milliseconds. */
export interface LeadSettings {
  /** A file, `:memory:`, a KV Connect URL, or undefined for the platform's own database. */
  readonly kvPath: string | undefined;
  /** False on a preview of Deno Deploy, which then has no targets. */
  readonly delivers: boolean;
  readonly leadTargets: readonly TargetSetting[];
  readonly leadWebhookSecrets: readonly string[];
  readonly leadRateLimit: Allowance;
  readonly leadAttemptLimit: Allowance;
  readonly leadInlineTimeoutMs: number;
  readonly leadRetentionMs: number;
  /** Newest first; empty: leads are stored unsealed. */
  readonly leadEncryptionKeys: readonly SealingKey[];
}

/** `static/brand.json`. */
export interface Brand {
  /** The name in pictures. */
  readonly name: string;
  /** The grounds of pages by day and by night, which `deno task pictures` writes. */
  readonly theme?: { readonly light: string; readonly dark: string };
}

/** What crawlers may use the texts for (contentsignals.org). */
export interface ContentSignal {
  /** Show them among search results. */
  readonly search: boolean;
  /** Answer questions from them: grounding, assistants. */
  readonly aiInput: boolean;
  /** Train models on them. */
  readonly aiTrain: boolean;
}

/** The plans that an enquiry can name; besides, it can leave the choice open. */
export const PLANS = ["pro", "business", "enterprise", "hosted"] as const;

/** The HTML Standard's expression for an email address (§4.10.5.1.5). */
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

/** Whether a text is an email address of at most 254 characters, the mailbox limit of RFC 5321. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && EMAIL.test(text);
}
