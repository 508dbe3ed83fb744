/** @module What both operators' programs share at a terminal: command lines, output, exit codes. */

import { Command, CommanderError } from "commander";

/** The command failed. */
export const EXIT_FAILED = 1;

/** The command line makes no sense. */
const EXIT_USAGE = 2;

/** Where a program prints. */
export interface Output {
  /** Writes to standard output, as it is. */
  out(text: string): void;
  /** Writes to standard error, as it is. */
  err(text: string): void;
}

/** A program that prints to `output` and does not end the process by itself. */
export function createProgram(name: string, { out, err }: Output): Command {
  return new Command(name).exitOverride().configureOutput({
    writeOut: out,
    writeErr: err,
    getOutHelpWidth: () => 80,
    getErrHelpWidth: () => 80,
    // By default commander reads the environment, for which the tasks have no permission.
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
}

/**
 * Runs a command line to its end. Never rejects.
 *
 * @param words the command line without the program
 * @returns the exit code: 1 for whatever a command throws, 2 for what commander refuses
 */
export async function runProgram(
  program: Command,
  words: readonly string[],
  { err }: Output,
): Promise<number> {
  try {
    await program.parseAsync(words, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    err(`${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT_FAILED;
  }
}

/**
 * Standard output and error. Synchronous, so that a slow reader slows the program down instead of
 * filling its memory. The process ends when the reader, such as `head`, has gone.
 *
 * @param ifClosed the exit code then
 */
export function standardOutput(ifClosed: number): Output {
  const encoder = new TextEncoder();
  function write(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
    let bytes = encoder.encode(text);
    try {
      while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
    } catch (error) {
      if (error instanceof Deno.errors.BrokenPipe) Deno.exit(ifClosed);
      throw error;
    }
  }
  return {
    out: (text) => write(Deno.stdout, text),
    err: (text) => write(Deno.stderr, text),
  };
}
