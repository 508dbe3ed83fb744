/**
 * @module What the pages say about this installation: names, origins and limits, handed in.
 *
 * Holds no values of its own, so that a number in prose is the number that the service works with.
 */

import type { Allowance, ContentSignal } from "../schemas/values.ts";

/** The facts behind the placeholders; the service's configuration has all of them. */
export interface SiteFacts {
  readonly siteName: string;
  /** Origin of the site, without trailing slash. */
  readonly siteUrl: string;
  /** Origin of a development server, without trailing slash. */
  readonly localUrl: string;
  readonly serviceId: string;
  /** Who answers for the site: a line each, as plain text. Empty: not said. */
  readonly operator: readonly string[];
  /** Undefined: the pages name the contact form instead. */
  readonly contactEmail: string | undefined;
  readonly contentSignal: ContentSignal;
  readonly leadRateLimit: Allowance;
  readonly leadAttemptLimit: Allowance;
  readonly leadRetentionMs: number;
  /** Where leads are kept: a file, `:memory:`, a URL, or undefined for the platform's own database. */
  readonly kvPath: string | undefined;
  /** With at least one, what a person wrote is sealed at rest. */
  readonly leadEncryptionKeys: readonly unknown[];
}
