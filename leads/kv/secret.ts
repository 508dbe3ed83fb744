/**
 * @module The secret of the pseudonyms, shared by all instances. It is sealed like content, so that
 * addresses cannot be tested against a mere copy of the database.
 */

import { lazy } from "../../lib/lazy.ts";
import type { Sealed, Sealer } from "../sealing.ts";
import type { KvGuard } from "./guard.ts";
import { keys } from "./keys.ts";

const BYTES = 32;

/** Takes the place of a lead's id in sealing. */
const OWNER = "secret";

export type StoredSecret = string | Sealed;

export class StoreSecret {
  readonly #kv: KvGuard;
  readonly #sealer: Sealer;

  /** Reads or creates the 32 bytes, once; again after a failure. */
  readonly get = lazy(() => this.#readOrMake());

  constructor(kv: KvGuard, sealer: Sealer) {
    this.#kv = kv;
    this.#sealer = sealer;
  }

  /** Checks whether an existing secret can be opened. @throws {CannotOpen} */
  async probe(): Promise<void> {
    const { value } = await this.#read();
    if (value !== null) openSecret(value, this.#sealer);
  }

  async reseal(): Promise<void> {
    const entry = await this.#read();
    if (entry.value === null || this.#sealer.isCurrent(entry.value)) return;
    await this.#write(entry, await this.get());
  }

  async #readOrMake(): Promise<Uint8Array> {
    let entry = await this.#read();
    if (entry.value === null) {
      await this.#write(entry, crypto.getRandomValues(new Uint8Array(BYTES)));
      entry = await this.#read(); // another instance may have been first
    }
    if (entry.value === null) {
      throw new Error("Cannot store the secret: KV has no entry after the write");
    }
    return openSecret(entry.value, this.#sealer);
  }

  #read(): Promise<Deno.KvEntryMaybe<StoredSecret>> {
    return this.#kv.read((kv) => kv.get<StoredSecret>(keys.secret()));
  }

  /** Writes nothing if the entry has changed since it was read. */
  async #write(entry: Deno.KvEntryMaybe<unknown>, secret: Uint8Array): Promise<void> {
    const sealed = this.#sealer.seal(secret.toBase64(), OWNER);
    await this.#kv.commit((kv) => kv.atomic().check(entry).set(keys.secret(), sealed));
  }
}

/** The 32 bytes. @throws {CannotOpen} */
export function openSecret(stored: StoredSecret, sealer: Sealer): Uint8Array {
  return Uint8Array.fromBase64(sealer.open<string>(stored, OWNER));
}
