/** @module A map from clients to what is remembered of them that cannot outgrow its bound. */

/** Share of the entries that makes room at once: to evict one by one would visit each gap anew. */
const EVICTED = 0.1;

/** How a map is bounded. */
export interface Bounds<V> {
  /** Most entries. */
  readonly max: number;
  /** Entries that are evicted only where all others are not enough. */
  readonly keep: (value: V) => boolean;
}

/** A map that, when it is full, evicts the entries that were set longest ago. */
export class BoundedMap<V> {
  readonly #bounds: Bounds<V>;
  /** In the order in which they were last set. */
  readonly #entries = new Map<string, V>();

  constructor(bounds: Bounds<V>) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    if (this.#entries.size >= this.#bounds.max) {
      this.#evict((old) => !this.#bounds.keep(old));
      this.#evict(() => true);
    }
    this.#entries.set(key, value);
  }

  #evict(mayGo: (value: V) => boolean): void {
    const target = Math.floor(this.#bounds.max * (1 - EVICTED));
    for (const [key, value] of this.#entries) {
      if (this.#entries.size <= target) return;
      if (mayGo(value)) this.#entries.delete(key);
    }
  }
}
