/** @module Pseudonyms in KV keys, keyed: plain hashes can be reversed by trying all addresses. */

import { createHmac } from "node:crypto";
import type { LeadContent } from "./lead.ts";
import { identityOf } from "./lead_content.ts";

/** Keyed hashes, each with its own purpose, so that they cannot be compared with each other. */
export interface Pseudonyms {
  /** Names a client's limit record. */
  address(address: string): string;
  /** Names the index of a person's leads; letter case does not matter. */
  email(email: string): string;
  /** Equal for two leads of the same content. */
  content(content: LeadContent): string;
}

/** @param secret 32 random bytes */
export function createPseudonyms(secret: Uint8Array): Pseudonyms {
  function hash(purpose: string, text: string): string {
    return createHmac("sha256", secret).update(`${purpose}\0${text}`).digest("base64url");
  }
  return {
    address: (address) => hash("address", address),
    email: (email) => hash("email", email.toLowerCase()),
    content: (content) => hash("content", identityOf(content)),
  };
}
