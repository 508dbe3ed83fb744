/** @module Puts work off until nothing else is asked for. */

/**
 * Calls back once: when the function that it returns has not been called for `ms` milliseconds, counted
 * from now on.
 */
export function afterPause(ms: number, callBack: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  function wait(): void {
    timer = setTimeout(() => {
      timer = undefined;
      callBack();
    }, ms);
  }
  wait();
  return () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    wait();
  };
}
