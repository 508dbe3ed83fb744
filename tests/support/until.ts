/** @module Waiting: for something that happens soon, without knowing when, or for a time. */

/** Resolves when `condition` holds; rejects after `withinMs`, naming what was waited for. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 5_000,
): Promise<void> {
  const end = Date.now() + withinMs;
  while (!await condition()) {
    if (Date.now() > end) throw new Error(`Waited ${withinMs} ms in vain: ${what}`);
    await pause(2);
  }
}

/** Resolves after `ms`. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
