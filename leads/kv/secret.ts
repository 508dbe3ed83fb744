/**
 * @module The secret of the pseudonyms: made on first use, and the same for every instance. It is sealed
 * as content is, so that a copy of the database alone does not let anyone try addresses against its keys.
 */

import { lazy } from "../../schemas/lazy.ts";
import type { Sealed, Sealer } from "../sealing.ts";
import type { KvGuard } from "./guard.ts";
import { keys } from "./keys.ts";

const BYTES = 32;

/** In the place of a lead's id, where it is sealed. */
const OWNER = "secret";

/** The secret as it is kept. */
export type StoredSecret = string | Sealed;

/** The secret of one store. */
export class StoreSecret {
  readonly #kv: KvGuard;
  readonly #sealer: Sealer;

  /** The 32 bytes; asks KV once, and again after a failure. */
  readonly get = lazy(() => this.#readOrMake());

  constructor(kv: KvGuard, sealer: Sealer) {
    this.#kv = kv;
    this.#sealer = sealer;
  }

  /**
   * Looks whether it can be opened, where there is one; makes none.
   *
   * @throws {CannotOpen} where it cannot
   */
  async probe(): Promise<void> {
    const { value } = await this.#read();
    if (value !== null) openSecret(value, this.#sealer);
  }

  /** Seals it with the newest key, where it is there and is not. */
  async reseal(): Promise<void> {
    const held = await this.#read();
    if (held.value === null || this.#sealer.isCurrent(held.value)) return;
    await this.#write(held, await this.get());
  }

  async #readOrMake(): Promise<Uint8Array> {
    let held = await this.#read();
    if (held.value === null) {
      await this.#write(held, crypto.getRandomValues(new Uint8Array(BYTES)));
      // Another instance may have been first: what counts is what is stored.
      held = await this.#read();
    }
    if (held.value === null) throw new Error("Cannot keep the store's secret: KV forgot it");
    return openSecret(held.value, this.#sealer);
  }

  #read(): Promise<Deno.KvEntryMaybe<StoredSecret>> {
    return this.#kv.read((kv) => kv.get<StoredSecret>(keys.secret()));
  }

  /** Does nothing where the entry has changed since it was read. */
  async #write(held: Deno.KvEntryMaybe<unknown>, secret: Uint8Array): Promise<void> {
    const sealed = this.#sealer.seal(secret.toBase64(), OWNER);
    await this.#kv.commit((kv) => kv.atomic().check(held).set(keys.secret(), sealed));
  }
}

/** The 32 bytes. @throws {CannotOpen} */
export function openSecret(stored: StoredSecret, sealer: Sealer): Uint8Array {
  return Uint8Array.fromBase64(sealer.open<string>(stored, OWNER));
}
