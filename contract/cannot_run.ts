/** @module The error of a program that cannot run, its exit codes, and its output without secrets. */

import { masked } from "./secrets.ts";

/** An error that the caller can fix, reported without a stack. */
export class CannotRun extends Error {
  override readonly name: string = "CannotRun";
}

/**
 * Exits with the code that `main` returns, after printing the usage for `--help`, or with 2 after
 * printing the error that it throws.
 */
export async function exitWith(
  main: (args: readonly string[]) => Promise<number>,
  { task, usage }: { readonly task: string; readonly usage: string },
): Promise<never> {
  try {
    const isHelp = Deno.args.includes("--help");
    if (isHelp) print(usage);
    Deno.exit(isHelp ? 0 : await main(Deno.args));
  } catch (error) {
    const isUsage = error instanceof CannotRun && error.name === "UsageError";
    const help = isUsage ? `\ndeno task ${task} --help lists the options` : "";
    // deno-lint-ignore no-console -- the program's output
    console.error(masked(error instanceof CannotRun ? error.message + help : Deno.inspect(error)));
    Deno.exit(2);
  }
}

/** Names the option in the error of what it names. */
export async function named<T>(option: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    throw new CannotRun(`${option}: ${error.message.replace(/^Cannot read the document: /, "")}`);
  }
}

export function print(text: string): void {
  // deno-lint-ignore no-console -- the program's output
  console.log(masked(text));
}

export async function writeText(file: string | URL, text: string): Promise<void> {
  await Deno.writeTextFile(file, masked(text));
}
