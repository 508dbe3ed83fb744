/** @module Makes what is dear, or must wait, with its first use: a module, the database, a document. */

/**
 * Runs an async builder on first use and then hands out the same result. A failed build is
 * forgotten, so that the next call tries again.
 *
 * @example
 * ```ts
 * const yaml = lazy(() => import("yaml"));
 * const { stringify } = await yaml();
 * ```
 */
export function lazy<T>(build: () => Promise<T>): () => Promise<T> {
  let built: Promise<T> | undefined;
  return () => {
    built ??= build().catch((error: unknown) => {
      built = undefined;
      throw error;
    });
    return built;
  };
}
