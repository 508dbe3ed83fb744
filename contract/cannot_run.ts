/** @module Why a program of the harness could not run, and how it ends then. */

/** The caller can fix the cause: a file, an option, the service. The message says all. */
export class CannotRun extends Error {
  override readonly name: string = "CannotRun";
}

/**
 * Ends the program with what `main` returns, or with 2 and one line for what it throws.
 * @param task the name of the task: `deno task …`
 */
export async function exitWith(
  main: (args: readonly string[]) => Promise<number>,
  task: string,
): Promise<never> {
  try {
    Deno.exit(await main(Deno.args));
  } catch (error) {
    const isUsage = error instanceof CannotRun && error.name === "UsageError";
    const help = isUsage ? `\ndeno task ${task} --help lists the options` : "";
    // deno-lint-ignore no-console -- the program's output
    console.error(error instanceof CannotRun ? error.message + help : error);
    Deno.exit(2);
  }
}

export function print(text: string): void {
  // deno-lint-ignore no-console -- the program's output
  console.log(text);
}
