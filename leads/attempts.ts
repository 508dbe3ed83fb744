/**
 * @module The attempts limit in memory that threads share, so that it is exact to the unit however
 * many take requests at one address. Bounded; it holds no address, only keyed hashes.
 *
 * A table of buckets, as a processor's cache has them: an address belongs in one bucket and takes
 * any slot of it. A client at rest needs no slot, since an arrival in the past is as good as none;
 * so a bucket forgets whoever is back at rest first, and a flood of addresses that ask once leaves
 * hardly a trace. Who is forgotten starts anew. Restarts forget all, and instances do not share it.
 *
 * The first slots of all buckets lie together, then the second ones, and so on; a bucket takes its
 * next slot only when nobody in it is at rest. So the system lends memory
 * for the most that were ever at work at once.
 */

import type { Allowance } from "../schemas/values.ts";
import { keyedHash } from "./keyed_hash.ts";
import { take, type Verdict } from "./rate_limit.ts";

/**
 * At most 4 MiB of slots. With 65,000 clients at work at the same time, a bucket of 16 holds 4 of
 * them on average, and the odds are 60 to 1 that none is forgotten too early.
 */
const BUCKETS = 16_384;
const SLOTS = 16;

const KEY_BYTES = 8;
const LOCK_BYTES = 4 * BUCKETS;
const SLOT_BYTES = 16;
/** In numbers: from a bucket's slot to its next. */
const STRIDE = 2 * BUCKETS;
/** What names a slot that nobody has had. */
const NOBODY = 0;
const FREE = 0;
const TAKEN = 1;
/** Some 20 µs of asking again and again. */
const SPINS = 1_000;

/** Memory for one table, for every thread's {@link Attempts}; at its head a secret of its own. */
export function sharedAttempts(): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(KEY_BYTES + LOCK_BYTES + BUCKETS * SLOTS * SLOT_BYTES);
  new Uint8Array(memory, 0, KEY_BYTES).set(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
  return memory;
}

/** Counts requests by address. */
export class Attempts {
  readonly #allowance: Allowance;
  readonly #key: readonly [low: number, high: number];
  /** One a bucket, held for some hundred nanoseconds. */
  readonly #locks: Int32Array<SharedArrayBuffer>;
  /** Two numbers a slot: the address's name and its theoretical arrival time. */
  readonly #slots: Float64Array<SharedArrayBuffer>;

  /** @param memory of {@link sharedAttempts}, where other threads count as well */
  constructor(allowance: Allowance, memory: SharedArrayBuffer = sharedAttempts()) {
    this.#allowance = allowance;
    const [low, high] = new Int32Array(memory, 0, 2);
    this.#key = [low!, high!];
    this.#locks = new Int32Array(memory, KEY_BYTES, BUCKETS);
    this.#slots = new Float64Array(memory, KEY_BYTES + LOCK_BYTES);
  }

  /**
   * Asks to admit one request from an address.
   *
   * @param now epoch milliseconds
   */
  take(address: string, now: number): Verdict {
    const { low, high } = keyedHash(address, this.#key);
    const bucket = high & (BUCKETS - 1);
    // The other 50 bits of 64: no two clients are one to the table, however many come.
    const name = 1 + (high >>> 14) * 2 ** 32 + low;
    this.#lock(bucket);
    try {
      const slot = this.#slotOf(name, { bucket, now });
      const verdict = take(this.#allowance, { arrival: this.#slots[slot + 1]!, now });
      this.#slots[slot + 1] = verdict.arrival;
      return verdict;
    } finally {
      Atomics.store(this.#locks, bucket, FREE);
    }
  }

  /** The slot of a name; a new one gets that of whoever is at rest, or a free one, or the oldest. */
  #slotOf(
    name: number,
    { bucket, now }: { readonly bucket: number; readonly now: number },
  ): number {
    const slots = this.#slots;
    let oldest = 2 * bucket;
    for (let slot = oldest; slot < slots.length; slot += STRIDE) {
      if (slots[slot] === name) return slot;
      if (slots[slot] === NOBODY) {
        if (slots[oldest + 1]! > now) oldest = slot;
        break; // slots are taken in order: there is nobody behind
      }
      if (slots[slot + 1]! < slots[oldest + 1]!) oldest = slot;
    }
    slots[oldest] = name;
    slots[oldest + 1] = 0;
    return oldest;
  }

  #lock(bucket: number): void {
    for (let tries = 1; !this.#tryLock(bucket); tries++) {
      // So long only if the holder's thread has been put to sleep in between.
      if (tries % SPINS === 0) Atomics.wait(this.#locks, bucket, TAKEN, 1);
    }
  }

  #tryLock(bucket: number): boolean {
    return Atomics.compareExchange(this.#locks, bucket, FREE, TAKEN) === FREE;
  }
}
