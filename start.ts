/** @module What a start does when a step of it fails: one line that says what, and an exit code. */

import { isFile } from "./config.ts";

/** Exit code for a configuration that cannot be used. */
export const EXIT_CONFIG = 2;

/** Exit code for anything else that keeps the service from starting. */
export const EXIT_START = 1;

/**
 * Runs a step of the start. A failure is told on standard error, without a stack, and ends the
 * process.
 *
 * @param options.what opens the message: "Cannot X"
 */
export async function orExit<T>(
  step: () => T | Promise<T>,
  { code = EXIT_START, what }: { readonly code?: number; readonly what?: string } = {},
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const { message } = error as Error;
    // deno-lint-ignore no-console -- before there is anything else
    console.error(what === undefined ? message : `${what}: ${message}`);
    return Deno.exit(code);
  }
}

/** Makes the folder that a KV path needs; a bare file name needs none. */
export async function makeFolderOf(kvPath: string | undefined): Promise<void> {
  const folder = isFile(kvPath) ? /^(.+)\/[^/]*$/.exec(kvPath)?.[1] : undefined;
  if (folder !== undefined) await Deno.mkdir(folder, { recursive: true });
}
