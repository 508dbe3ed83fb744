/** @module A word on standard error from time to time while something takes long. */

import type { Context } from "./command.ts";

/** How long a command may take before it reports progress. */
const EVERY_MS = 2_000;

/** Tells what it is given, but no more often than every two seconds, and not at once. */
export function progressOn({ err, now }: Pick<Context, "err" | "now">): (text: string) => void {
  let last = now();
  return (text) => {
    if (now() - last < EVERY_MS) return;
    last = now();
    err(`${text} …\n`);
  };
}
