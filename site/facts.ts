/** @module The settings of an installation that its pages mention: names, origins and limits. */

import type { Allowance, ContentSignal } from "../schemas/values.ts";

/** The values behind the placeholders, all part of the service's configuration. */
export interface SiteFacts {
  readonly siteName: string;
  /** Origin of the site, without trailing slash. */
  readonly siteUrl: string;
  /** Origin of a development server, without trailing slash. */
  readonly localUrl: string;
  readonly serviceId: string;
  /** Name and address of the operator, as lines of plain text; may be empty. */
  readonly operator: readonly string[];
  /** Undefined: the pages name the contact form instead. */
  readonly contactEmail: string | undefined;
  readonly contentSignal: ContentSignal;
  readonly leadRateLimit: Allowance;
  readonly leadAttemptLimit: Allowance;
  readonly leadRetentionMs: number;
  /** Where leads are stored: a file, `:memory:`, a URL; undefined for the platform's database. */
  readonly kvPath: string | undefined;
  /** With at least one key, personal data is encrypted at rest. */
  readonly leadEncryptionKeys: readonly unknown[];
}
