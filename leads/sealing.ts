/**
 * @module Seals what a person wrote while it is at rest: AES-256-GCM (NIST SP 800-38D), the lead's id
 * as additional data, so that content cannot be moved from one lead to another.
 *
 * The first key seals, every key opens: a key is rotated by putting a new one in front. Without keys
 * content is kept as it is.
 */

import { createCipheriv, createDecipheriv } from "node:crypto";
import type { SealingKey } from "../schemas/values.ts";
import { ExplainedError } from "./log.ts";

/** Sealed bytes, with all that is needed to open them but the key. */
export interface Sealed {
  readonly key: string;
  readonly nonce: Uint8Array;
  /** Ciphertext and, at its end, the authentication tag. */
  readonly data: Uint8Array;
}

/** Sealed content whose key is not at hand, or that is not what was sealed. */
export class CannotOpen extends ExplainedError {
  override readonly name = "CannotOpen";
  /** @param key the id of the key with which it was sealed */
  constructor(message: string, readonly key: string) {
    super(message);
  }
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = "aes-256-gcm";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Seals and opens values that have a JSON form. */
export class Sealer {
  readonly #keys: readonly SealingKey[];

  /** @param keys newest first; none: nothing is sealed */
  constructor(keys: readonly SealingKey[]) {
    this.#keys = keys;
  }

  /** The value sealed with the newest key; as it is without keys. */
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

  /** @throws {CannotOpen} where the key is missing or the bytes are not those that were sealed */
  open<T>(value: T | Sealed, owner: string): T {
    if (!isSealed(value)) return value;
    const key = this.#keys.find(({ id }) => id === value.key)?.key;
    if (key === undefined) {
      const reason = `LEAD_ENCRYPTION_KEYS has no ${value.key}`;
      throw new CannotOpen(`Cannot open what is sealed: ${reason}`, value.key);
    }
    try {
      const decipher = createDecipheriv(ALGORITHM, key, value.nonce);
      decipher.setAAD(encoder.encode(owner));
      decipher.setAuthTag(value.data.subarray(-TAG_BYTES));
      const text = decipher.update(value.data.subarray(0, -TAG_BYTES));
      decipher.final(); // throws where the tag is not that of the bytes
      return JSON.parse(decoder.decode(text));
    } catch {
      const reason = "the bytes or the key are not the right ones";
      throw new CannotOpen(`Cannot open what is sealed: ${reason}`, value.key);
    }
  }

  /** Whether sealing the value anew would change how it is kept. */
  isCurrent(value: unknown): boolean {
    return isSealed(value) ? value.key === this.#keys[0]?.id : this.#keys.length === 0;
  }
}

function isSealed(value: unknown): value is Sealed {
  return typeof value === "object" && value !== null && "nonce" in value && "data" in value;
}
