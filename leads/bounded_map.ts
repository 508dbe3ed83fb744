/** @module A map of bounded size that evicts the least recently set entries. */

/** Share of the entries evicted at once: evicting one at a time makes V8 visit all earlier gaps. */
const EVICTED = 0.1;

/** Entries for which `keep` is true are evicted last. */
type Bounds<V> = { readonly max: number; readonly keep: (value: V) => boolean };

/**
 * A map that evicts the least recently set entries when it is full.
 *
 * Setting an entry again moves it to the end, but not while fewer than a tenth of `max` sets have passed
 * since it moved: each move leaves a gap in V8's hash chain, which every access walks until the next
 * rehash (20 to 90 µs for a client that keeps sending).
 */
export class BoundedMap<V> {
  readonly #bounds: Bounds<V>;
  readonly #entries = new Map<string, { value: V; movedAt: number }>();
  #sets = 0;

  constructor(bounds: Bounds<V>) {
    this.#bounds = bounds;
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
