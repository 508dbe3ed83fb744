/**
 * @module Pseudonyms in place of addresses in KV keys: HMAC-SHA-256 under a secret that the store keeps,
 * because plain hashes of addresses could be reversed by trying them all.
 */

import { createHmac } from "node:crypto";
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
  function hash(purpose: string, text: string): string {
    return createHmac("sha256", secret).update(`${purpose}\0${text}`).digest("base64url");
  }
  return {
    address: (address) => hash("address", address),
    email: (email) => hash("email", email.toLowerCase()),
    content: ({ email, company, message, plan, locale }) =>
      hash("content", JSON.stringify([email.toLowerCase(), company, message, plan, locale])),
  };
}
