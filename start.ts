/** @module What a start does when it cannot go on: a message that says why, and an exit code. */

import { isFile } from "./config/kv_path.ts";
import { exit } from "./stop.ts";

/** Exit code for a configuration that cannot be used. */
export const EXIT_CONFIG = 2;

/** Exit code for anything else that keeps the service from starting. */
export const EXIT_START = 1;

const USAGE = `Usage: deno task start

Runs the service. It is configured by environment variables: see README.md and .env.example.`;

/** Ends the process where there are arguments: with the usage after `--help`, else with an error. */
export async function refuseArguments(args: readonly string[]): Promise<void> {
  if (args.length === 0) return;
  if (args.every((argument) => argument === "--help" || argument === "-h")) {
    // deno-lint-ignore no-console -- for the operator who typed the command
    console.log(USAGE);
    return await exit(0);
  }
  // deno-lint-ignore no-console -- the same
  console.error(`Cannot understand ${args.join(" ")}: start takes no arguments\n\n${USAGE}`);
  return await exit(EXIT_CONFIG);
}

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
    return await exit(code);
  }
}

/**
 * Makes the file of a KV path, and its folder, for the user of the service alone: SQLite gives the
 * files beside it the same mode. What is there already stays as it is.
 */
export async function makeFileOf(kvPath: string | undefined): Promise<void> {
  if (!isFile(kvPath)) return;
  const folder = /^(.+)\/[^/]*$/.exec(kvPath)?.[1];
  if (folder !== undefined) await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    (await Deno.open(kvPath, { write: true, createNew: true, mode: 0o600 })).close();
  } catch { /* it is there, or opening it as a database tells what is wrong */ }
}
