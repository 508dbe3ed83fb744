/** @module Loads on first use what is slow and rarely needed: beside each are the milliseconds saved. */

/** Runs `load` on the first call, and again after a failure; all callers get the same result. */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
}
