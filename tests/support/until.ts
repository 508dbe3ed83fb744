/** @module Waits for something that happens soon, without knowing when. */

/** Resolves when `condition` holds; rejects after `withinMs`, naming what was waited for. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 5_000,
): Promise<void> {
  const end = Date.now() + withinMs;
  while (!await condition()) {
    if (Date.now() > end) throw new Error(`Waited ${withinMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
