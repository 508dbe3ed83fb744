/** @module A map of bounded size that evicts the least recently set entries. */

/** The share of all entries that are kept when generations change. */
const MOST_KEPT = 0.4;

/** Entries for which `keep` is true are evicted last. */
type Bounds<V> = { readonly max: number; readonly keep: (value: V) => boolean };

/**
 * Two generations of at most `max / 2` entries: when the young one is full, it replaces the old one, whose
 * entries to keep become young again. An entry deleted from a map leaves a gap in V8's hash chain, which
 * every access walks until the next rehash (20 to 90 µs for a client that keeps sending).
 */
export class BoundedMap<V> {
  readonly #bounds: Bounds<V>;
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  constructor(bounds: Bounds<V>) {
    this.#bounds = bounds;
  }

  get(key: string): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: string, value: V): void {
    const { max, keep } = this.#bounds;
    this.#young.set(key, value);
    if (this.#young.size < max / 2) return;
    const kept = [...this.#old].filter(([key, value]) => !this.#young.has(key) && keep(value));
    this.#old = this.#young;
    // Fewer than a generation, so that the next change is not due at once.
    this.#young = new Map(kept.slice(-MOST_KEPT * max));
  }
}
