/**
 * @module Keys that name a person without saying who: keyed hashes in place of addresses.
 *
 * HMAC-SHA-256 under a secret that the store keeps; without it, hashes of addresses could be
 * reversed by trying them all.
 */

import { createHash } from "node:crypto";
import type { LeadContent } from "./lead.ts";

/** Keyed hashes, each for its own purpose so that none can be compared with another. */
export interface Pseudonyms {
  /** Names a client's limit record. */
  address(address: string): string;
  /** Names the index of a person's leads; letter case does not matter. */
  email(email: string): string;
  /** Equal for two leads of the same content. */
  content(content: LeadContent): string;
}

/** Pseudonyms by HMAC-SHA-256. @param secret 32 random bytes */
export function createPseudonyms(secret: Uint8Array): Pseudonyms {
  const hmac = hmacUnder(secret);
  const hash = (purpose: string, text: string) => hmac(`${purpose}\0${text}`);
  return {
    address: (address) => hash("address", address),
    email: (email) => hash("email", email.toLowerCase()),
    content: ({ email, company, message, plan, locale }) =>
      hash("content", JSON.stringify([email.toLowerCase(), company, message, plan, locale])),
  };
}

const BLOCK_BYTES = 64;

/**
 * HMAC-SHA-256 (RFC 2104) that has read its key once, as §4 proposes: Node's begins with the key each
 * time, which is half of what a short text costs.
 *
 * @param key of 64 bytes at the most
 */
function hmacUnder(key: Uint8Array): (text: string) => string {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key);
  const inner = createHash("sha256").update(block.map((byte) => byte ^ 0x36));
  const outer = createHash("sha256").update(block.map((byte) => byte ^ 0x5c));
  return (text) => outer.copy().update(inner.copy().update(text).digest()).digest("base64url");
}
