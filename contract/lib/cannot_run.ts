/** @module The error of a program that cannot run, and its output without secrets. */

import { masked } from "./secrets.ts";

/** An error that the caller can fix, reported without a stack. */
export class CannotRun extends Error {
  override readonly name: string = "CannotRun";
}

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
