/**
 * @module Encrypts stored content: AES-256-GCM (NIST SP 800-38D) with the lead's id as additional data,
 * so that content cannot be moved between leads. The first key seals, every key opens: to rotate, put a
 * new key in front. Without keys content is stored as it is.
 */

import { createCipheriv, createDecipheriv } from "node:crypto";
import type { SealingKey } from "../config/settings.ts";
import { ExplainedError } from "../lib/log.ts";

export interface Sealed {
  readonly key: string;
  readonly nonce: Uint8Array;
  /** The ciphertext followed by the authentication tag. */
  readonly data: Uint8Array;
}

/** The key of sealed content is missing, or the content has changed. */
export class CannotOpen extends ExplainedError {
  override readonly name = "CannotOpen";
  constructor(reason: string) {
    super(`Cannot open what is sealed: ${reason}`);
  }
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = "aes-256-gcm";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Sealer {
  readonly #keys: readonly SealingKey[];

  /** @param keys newest first */
  constructor(keys: readonly SealingKey[]) {
    this.#keys = keys;
  }

  /** Seals a value with the newest key; without keys returns it as it is. */
  seal<T>(value: T, owner: string): T | Sealed {
    const newest = this.#keys[0];
    if (newest === undefined) return value;
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const cipher = createCipheriv(ALGORITHM, newest.key, nonce);
    cipher.setAAD(encoder.encode(owner));
    const text = cipher.update(JSON.stringify(value), "utf8");
    cipher.final(); // adds nothing: GCM has no padding
    const data = new Uint8Array(text.byteLength + TAG_BYTES);
    data.set(text);
    data.set(cipher.getAuthTag(), text.byteLength);
    return { key: newest.id, nonce, data };
  }

  /** @throws {CannotOpen} if the key is missing or the bytes or the owner have changed */
  open<T>(value: T | Sealed, owner: string): T {
    if (!isSealed(value)) return value;
    const key = this.#keys.find(({ id }) => id === value.key)?.key;
    if (key === undefined) throw new CannotOpen(`LEAD_ENCRYPTION_KEYS has no ${value.key}`);
    try {
      const decipher = createDecipheriv(ALGORITHM, key, value.nonce);
      decipher.setAAD(encoder.encode(owner));
      decipher.setAuthTag(value.data.subarray(-TAG_BYTES));
      const text = decipher.update(value.data.subarray(0, -TAG_BYTES));
      decipher.final(); // throws if the tag does not match
      return JSON.parse(decoder.decode(text));
    } catch {
      throw new CannotOpen("the bytes or the key are not the right ones");
    }
  }

  /** Whether the value is stored as `seal` would store it now. */
  isCurrent(value: unknown): boolean {
    return isSealed(value) ? value.key === this.#keys[0]?.id : this.#keys.length === 0;
  }
}

/** If it is damaged, `open` finds out. */
function isSealed(value: unknown): value is Sealed {
  return typeof value === "object" && value !== null && "nonce" in value && "data" in value;
}
