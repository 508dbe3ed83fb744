/** @module What a target is, and what a kind of target has to say of a URL. */

import type { LeadRecord } from "../lead.ts";
import type { DeliveryOutcome } from "../retry.ts";

/** A receiver of leads. */
export interface Target {
  /** Stable name in the queue and in logs; holds no secret (a path or a password may be one). */
  readonly id: string;
  /**
   * Delivers a lead. Never throws: whatever happens is an outcome.
   *
   * @param signal aborts the try when its time is up
   */
  deliver(record: LeadRecord, signal: AbortSignal): Promise<DeliveryOutcome>;
}

/** What a target may need beside its URL. */
export interface TargetOptions {
  /** `whsec_…`; several while a secret is being rotated. */
  readonly secrets: readonly string[];
  readonly now: () => number;
}

/** A way to deliver leads. */
export interface TargetKind {
  /** The URL schemes that stand for it, without colon. */
  readonly schemes: readonly string[];
  /** What is wrong with such a URL: "must …", and nothing of the URL, which may hold a secret. */
  fault(url: URL): string | undefined;
  /** @param url one without fault */
  create(url: URL, options: TargetOptions): Promise<Target>;
}

/**
 * The id of a target: kind, host, and a short hash of the whole URL without its credentials, so that
 * two paths on one host differ and a rotated password does not orphan a queue.
 */
export async function targetId(kind: string, url: URL): Promise<string> {
  const { href } = withoutCredentials(url);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(href));
  return `${kind}:${url.host}:${new Uint8Array(digest).subarray(0, 4).toHex()}`;
}

/** A copy of the URL without user and password. */
export function withoutCredentials(url: URL): URL {
  return Object.assign(new URL(url), { username: "", password: "" });
}

/** User and password, decoded; undefined where a percent sign is not followed by two hex digits. */
export function credentialsOf(
  { username, password }: URL,
): { user: string; password: string } | undefined {
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}
