/** @module Waits for a condition or a time. */

export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 5_000,
): Promise<void> {
  const end = Date.now() + withinMs;
  while (!await condition()) {
    if (Date.now() > end) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await pause(2);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
