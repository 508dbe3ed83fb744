/** @module Types of settings: the configuration reads them, leads and pages use them. */

/** `count` requests within `windowMs` milliseconds. */
export interface RateLimit {
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

/** A time of the day in a time zone (IANA). */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  readonly zone: string;
}

/** The settings of the lead pipeline; durations in milliseconds. */
export interface LeadSettings {
  /** A file, `:memory:`, a KV Connect URL, or undefined for the platform's own database. */
  readonly kvPath: string | undefined;
  /** False on a preview of Deno Deploy, which then has no targets. */
  readonly delivers: boolean;
  readonly leadTargets: readonly TargetSetting[];
  /** The names of the targets that get messages for the operator: mail or chat. */
  readonly leadAlerts: readonly string[];
  /** When they get a digest each day. */
  readonly leadDigest: TimeOfDay | undefined;
  /** The name of the site, in these messages. */
  readonly siteName: string;
  /** The most attempts at once for one target of each process. */
  readonly leadTargetConcurrency: number;
  readonly leadWebhookSecrets: readonly string[];
  readonly leadRateLimit: RateLimit;
  readonly leadAttemptLimit: RateLimit;
  readonly leadInlineTimeoutMs: number;
  readonly leadRetentionMs: number;
  /** Newest first; empty: leads are stored unsealed. */
  readonly leadEncryptionKeys: readonly SealingKey[];
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
