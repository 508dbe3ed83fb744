/** @module What both operator programs share: command lines, output and exit codes. */

import { Command, CommanderError } from "commander";
import { forTerminal } from "../lib/terminal_text.ts";
import { KvFailure } from "../leads/kv/error_reasons.ts";
import { ExplainedError, safeReason } from "../lib/log.ts";
import { exit } from "../lib/process.ts";

export const EXIT_FAILED = 1;

/** Where a program prints. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** Ends a command that has said why. */
export class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit code ${code}`);
  }
}

/** Runs the command line of this process, and ends it. A report that is cut off is not a success. */
export async function runTask(
  name: string,
  build: (program: Command, output: Output) => void,
): Promise<never> {
  const output = standardOutput(EXIT_FAILED);
  const line = { name: `deno task ${name}`, words: Deno.args, ...output };
  return await exit(await runProgram(line, (program) => build(program, output)));
}

/**
 * Runs a command line; `build` adds the commands. Never rejects.
 *
 * @returns the exit code: 1 if a command throws, 2 if commander rejects the command line
 */
export async function runProgram(
  { name, words, out, err }: Output & { readonly name: string; readonly words: readonly string[] },
  build: (program: Command) => void,
): Promise<number> {
  const program = new Command(name).exitOverride().configureOutput({
    writeOut: out,
    writeErr: err,
    getOutHelpWidth: () => 80,
    getErrHelpWidth: () => 80,
    // By default commander reads the environment, for which the tasks have no permission.
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
  build(program);
  try {
    await program.parseAsync(words, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.code;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const isSentence = error instanceof ExplainedError && !(error instanceof KvFailure);
    err(`${isSentence ? "" : "Cannot go on: "}${safeReason(error)}\n`);
    return EXIT_FAILED;
  }
}

/**
 * Standard output and error: files and pipes get the text unchanged, a terminal only what cannot control
 * it. Writes synchronously: a slow reader slows the program down instead of filling its memory. When the
 * reader (such as `head`) is gone, the process ends with `ifClosed`.
 */
export function standardOutput(ifClosed: number): Output {
  const encoder = new TextEncoder();
  function write(stream: typeof Deno.stdout | typeof Deno.stderr, text: string): void {
    let bytes = encoder.encode(stream.isTerminal() ? forTerminal(text) : text);
    try {
      while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
    } catch (error) {
      if (error instanceof Deno.errors.BrokenPipe) Deno.exit(ifClosed);
      throw new ExplainedError(`Cannot write the output: ${safeReason(error)}`, { cause: error });
    }
  }
  return { out: (text) => write(Deno.stdout, text), err: (text) => write(Deno.stderr, text) };
}
