/** @module From words of a command line to a command's options and operand. */

import { parseArgs } from "node:util";
import { type Args, type Command, PROGRAM, UsageError } from "./command.ts";
import { didYouMean } from "./nearest.ts";

/**
 * Reads what follows a command's name.
 *
 * @throws {UsageError} for an option that the command does not have, a value that is missing or too
 * much, or a wrong number of operands
 */
export function readArguments(words: readonly string[], command: Command): Args {
  const { name, options, operand } = command;
  // Not strict: its messages do not say what there is instead.
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(Object.entries(options).map(([key, { type }]) => [key, { type }])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const flags = new Set<string>();
  const values: Record<string, string> = {};
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) throw new UsageError(unknownOption(command, token.rawName));
    if (option.type === "string") {
      if (token.value === undefined) {
        throw new UsageError(`Cannot ${name}: ${token.rawName} needs a value: ${option.summary}`);
      }
      values[token.name] = token.value;
    } else {
      if (token.value !== undefined) {
        throw new UsageError(`Cannot ${name}: ${token.rawName} takes no value`);
      }
      flags.add(token.name);
    }
  }
  const fits = operand === undefined
    ? operands.length === 0
    : operands.length === 1 || (operand === "optional" && operands.length === 0);
  if (!fits) throw new UsageError(wrongOperands(command, operands));
  return { flags, values, operand: operands[0] };
}

function unknownOption({ name, options }: Command, typed: string): string {
  const known = Object.keys(options).map((option) => `--${option}`);
  const there = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
  return `Cannot ${name}: there is no option ${typed}${didYouMean(typed, known) || `; ${there}`}`;
}

function wrongOperands({ name, usage, operand }: Command, { length }: readonly string[]): string {
  const state = length === 0
    ? "something is missing"
    : `${length} words where ${operand === undefined ? "none" : "one"} should be`;
  return `Cannot ${name}: ${state}; usage: ${PROGRAM} ${usage}`;
}

/**
 * The value of an option that has a fixed set of them.
 *
 * @throws {UsageError} naming the set
 */
export function oneOf<T extends string>(
  args: Args,
  option: string,
  { known }: { readonly known: readonly T[] },
): T | undefined {
  const value = args.values[option];
  if (value === undefined) return undefined;
  const found = known.find((word) => word === value);
  if (found !== undefined) return found;
  throw new UsageError(
    `Cannot use --${option} ${value}: it is one of ${known.join(", ")}${didYouMean(value, known)}`,
  );
}
