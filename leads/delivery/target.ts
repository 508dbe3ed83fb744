/**
 * @module What a target is: something that takes leads and says whether it has them.
 */

import type { LeadRecord } from "../lead.ts";
import type { DeliveryOutcome } from "../retry.ts";

/** A receiver of leads. */
export interface Target {
  /** Stable name in the queue and in logs; holds no secret (a path or a password may be one). */
  readonly id: string;
  /**
   * Hands over a lead. Never throws: whatever happens is an outcome.
   *
   * @param signal aborts the try when its time is up
   */
  deliver(record: LeadRecord, signal: AbortSignal): Promise<DeliveryOutcome>;
}

/**
 * The id of a target: kind, host, and a short hash of the whole URL without its credentials, so that
 * two paths on one host differ and a rotated password does not orphan a queue.
 */
export async function targetId(kind: string, url: URL): Promise<string> {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(bare.href));
  return `${kind}:${url.host}:${new Uint8Array(digest).subarray(0, 4).toHex()}`;
}
