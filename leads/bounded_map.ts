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

/**
 * A map that, when it is full, evicts the entries that were set longest ago.
 *
 * An entry moves to the end when it is set again, unless it has been moved within the last tenth of a
 * map's worth of new and moved entries: each move leaves a gap in V8's hash chain of the key, which every
 * access walks until the next rehash (20 to 90 µs for one client that is refused over and over).
 */
export class BoundedMap<V> {
  readonly #bounds: Bounds<V>;
  readonly #entries = new Map<string, { value: V; movedAt: number }>();
  /** Grows with every set: an entry's age is how far it has grown since. */
  #sets = 0;

  constructor(bounds: Bounds<V>) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: string, value: V): void {
    const { max, keep } = this.#bounds;
    const movedAt = ++this.#sets;
    const entry = this.#entries.get(key);
    if (entry !== undefined && movedAt - entry.movedAt <= Math.ceil(max * EVICTED)) {
      entry.value = value;
      return;
    }
    this.#entries.delete(key);
    if (this.#entries.size >= max) {
      this.#evict((old) => !keep(old));
      this.#evict(() => true);
    }
    this.#entries.set(key, { value, movedAt });
  }

  #evict(mayGo: (value: V) => boolean): void {
    const target = Math.floor(this.#bounds.max * (1 - EVICTED));
    for (const [key, { value }] of this.#entries) {
      if (this.#entries.size <= target) return;
      if (mayGo(value)) this.#entries.delete(key);
    }
  }
}
