/** @module A map from clients to what is remembered of them, with a bound on its size. */

/** Share of the entries that is evicted at once: to evict one by one would visit each gap anew. */
const EVICTED = 0.1;

/** How a map is bounded. */
export interface Bounds<V> {
  /** Most entries. */
  readonly max: number;
  /** Entries that are evicted only if all others are not enough. */
  readonly keep: (value: V) => boolean;
}

interface Entry<V> {
  value: V;
  /** How many values the map had been given when this entry was last moved to the end. */
  movedAt: number;
}

/**
 * A map that, when it is full, evicts the entries that were set longest ago.
 *
 * An entry that is set again moves to the end, but not again before a tenth of the bound has been set:
 * each move leaves a gap in the hash chain of its key, which V8 walks on every access until the next
 * rehash: 20 to 90 µs a request of one client that is refused over and over.
 */
export class BoundedMap<V> {
  readonly #bounds: Bounds<V>;
  /** In the order in which they were last moved. */
  readonly #entries = new Map<string, Entry<V>>();
  readonly #movedEvery: number;
  #sets = 0;

  constructor(bounds: Bounds<V>) {
    this.#bounds = bounds;
    this.#movedEvery = Math.ceil(bounds.max * EVICTED);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: string, value: V): void {
    this.#sets++;
    const entry = this.#entries.get(key);
    if (entry !== undefined && this.#sets - entry.movedAt <= this.#movedEvery) {
      entry.value = value;
      return;
    }
    this.#entries.delete(key);
    if (this.#entries.size >= this.#bounds.max) {
      this.#evict((old) => !this.#bounds.keep(old));
      this.#evict(() => true);
    }
    this.#entries.set(key, { value, movedAt: this.#sets });
  }

  #evict(mayGo: (value: V) => boolean): void {
    const target = Math.floor(this.#bounds.max * (1 - EVICTED));
    for (const [key, { value }] of this.#entries) {
      if (this.#entries.size <= target) return;
      if (mayGo(value)) this.#entries.delete(key);
    }
  }
}
