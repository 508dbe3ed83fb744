/** @module Command lines read by commander, and the exit codes of both programs. */

import { Command, CommanderError } from "commander";
import type { Output } from "./terminal.ts";

/** The command failed. */
export const EXIT_FAILED = 1;

/** The command line makes no sense. */
const EXIT_USAGE = 2;

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
