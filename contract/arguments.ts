/** @module Reads the arguments of a program, and says in one sentence what is wrong with them. */

import { parseArgs } from "node:util";
import { CannotRun } from "./cannot_run.ts";

/** The command line is wrong. */
export class UsageError extends CannotRun {
  override readonly name = "UsageError";
}

/**
 * Reads the options of a program.
 * @throws {UsageError} for an unknown option or a missing value
 */
export function readArguments<S extends string, B extends string, L extends string = never>(
  args: readonly string[],
  { strings, booleans, lists = [] }: {
    readonly strings: readonly S[];
    readonly booleans: readonly B[];
    readonly lists?: readonly L[];
  },
): Record<S, string | undefined> & Record<B, boolean> & Record<L, readonly string[]> {
  const options = Object.fromEntries([
    ...strings.map((name) => [name, { type: "string" }] as const),
    ...booleans.map((name) => [name, { type: "boolean", default: false }] as const),
    ...lists.map((name) => [name, { type: "string", multiple: true, default: [] }] as const),
  ]);
  try {
    const { values } = parseArgs({ args: [...args], options });
    const absent = Object.fromEntries(strings.map((name) => [name, undefined]));
    return { ...absent, ...values } as ReturnType<typeof readArguments<S, B, L>>;
  } catch (error) {
    // The first line; the others explain the syntax of a shell.
    throw new UsageError((error as Error).message.split("\n", 1)[0]!);
  }
}

/** @throws {UsageError} for anything but a whole number below 10^9 */
export function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${name} takes a whole number below 10^9`);
  return Number(text);
}

/** A base URL, which may have a path, without trailing slash. */
export function originOf(name: string, text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new UsageError(`${name} takes an http or https URL without query`);
  }
  if (url.username !== "") throw new UsageError(`${name} takes no credentials: use --header`);
  return url.href.replace(/\/$/, "");
}
