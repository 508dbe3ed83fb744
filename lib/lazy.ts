/** @module Loads on first use what is slow to load and rarely needed. Every room may import it. */

/**
 * Runs `load` on the first call and gives every caller the same result. A failed load is forgotten, so
 * that the next call tries again.
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
}
