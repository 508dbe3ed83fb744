/** @module Loads on first use what is slow to load and rarely needed: beside each are the milliseconds that it
 * saves. */

/**
 * Runs `load` on the first call and gives every caller the same result. After a failure the next
 * call loads again.
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
}
