/** @module What a start does when a step of it fails: one line that says what, and an exit code. */

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

/** Makes the folder that a KV path needs. */
export async function makeFolderOf(kvPath: string | undefined): Promise<void> {
  const folder = folderOf(kvPath);
  if (folder !== undefined) await Deno.mkdir(folder, { recursive: true });
}

/** The folder that a KV path needs, or undefined: for a URL, `:memory:` or a bare file name. */
export function folderOf(kvPath: string | undefined): string | undefined {
  if (kvPath === undefined || /^(?::memory:$|https?:\/\/)/.test(kvPath)) return undefined;
  return /^(.+)\/[^/]*$/.exec(kvPath)?.[1];
}
