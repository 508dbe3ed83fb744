/**
 * @module The id of a lead at its targets: the `webhook-id`, and the Message-ID of its mail.
 *
 * It is made from the content and the period of arrival: the UTC day, or a period as long as a shorter
 * retention. A lead that KV does not hold has one id however often it is sent, at any instance (two if it
 * is repeated across the end of a period), and stored leads of the same content are a period apart. Never
 * store or log it: trying contents would reverse a hash without a key.
 */

import { createHash } from "node:crypto";
import { UUID } from "uuidv7";
import { type LeadRecord, SAME_LEAD_MS } from "../lead.ts";
import { identityOf } from "../lead_content.ts";

/** A UUIDv8 made by SHA-256 (RFC 9562 §5.8 and appendix B.2). */
export function webhookIdOf(
  { receivedAt, expiresAt, lead }: Pick<LeadRecord, "receivedAt" | "expiresAt" | "lead">,
): string {
  const periodMs = Math.min(SAME_LEAD_MS, expiresAt - receivedAt);
  const period = `${periodMs} ${Math.floor(receivedAt / periodMs)}`;
  const hash = createHash("sha256").update(`${period} ${identityOf(lead)}`);
  const bytes = hash.digest().subarray(0, 16);
  bytes[6] = bytes[6]! & 0x0f | 0x80; // version
  bytes[8] = bytes[8]! & 0x3f | 0x80; // variant
  return UUID.ofInner(bytes).toString();
}
