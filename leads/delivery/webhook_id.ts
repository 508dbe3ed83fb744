/**
 * @module The id of a lead at its targets: the `webhook-id`, and the Message-ID of its mail.
 *
 * It is made from the content and the UTC day of arrival: a lead that KV does not hold has one id however
 * often it is sent, at any instance (two if it is repeated across midnight), and stored leads of the same
 * content are a day apart. Never store or log it: trying contents would reverse a hash without a key.
 */

import { createHash } from "node:crypto";
import { UUID } from "uuidv7";
import { identityOf, type LeadRecord } from "../lead.ts";

/** A UUIDv8 made by SHA-256 (RFC 9562 §5.8 and appendix B.2). */
export function webhookIdOf({ receivedAt, lead }: Pick<LeadRecord, "receivedAt" | "lead">): string {
  const day = new Date(receivedAt).toISOString().slice(0, 10);
  const bytes = createHash("sha256").update(`${day} ${identityOf(lead)}`).digest().subarray(0, 16);
  bytes[6] = bytes[6]! & 0x0f | 0x80; // version
  bytes[8] = bytes[8]! & 0x3f | 0x80; // variant
  return UUID.ofInner(bytes).toString();
}
