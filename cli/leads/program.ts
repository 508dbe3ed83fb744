/** @module Which command a command line asks for, and how its end is told. */

import { readArguments } from "./arguments.ts";
import { type Command, PROGRAM, type Stores, type Terminal, UsageError } from "./command.ts";
import { erase } from "./erase.ts";
import { exportLeads } from "./export.ts";
import { commandHelp, programHelp } from "./help.ts";
import { list } from "./list.ts";
import { didYouMean } from "./nearest.ts";
import { purge } from "./purge.ts";
import { reseal } from "./reseal.ts";
import { retry } from "./retry.ts";
import { show } from "./show.ts";
import { stats } from "./stats.ts";

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  list,
  show,
  stats,
  exportLeads,
  retry,
  erase,
  reseal,
  purge,
];

/** The command line or the environment makes no sense. */
const EXIT_USAGE = 2;

/** It does, but the command failed. */
const EXIT_FAILURE = 1;

/**
 * Runs a command line to its end. Never rejects.
 *
 * @param words the command line without the program
 * @param options.open gives the leads; called only where a command needs them
 * @returns the exit code
 */
export async function runProgram(
  words: readonly string[],
  { terminal, open }: { readonly terminal: Terminal; readonly open: () => Promise<Stores> },
): Promise<number> {
  try {
    const help = helpFor(words);
    if (help !== undefined) {
      terminal.out(help);
      return 0;
    }
    const command = commandNamed(words[0]!);
    const args = readArguments(words.slice(1), command);
    await command.run({ ...terminal, ...await open() }, args);
    return 0;
  } catch (error) {
    terminal.err(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError ? EXIT_USAGE : EXIT_FAILURE;
  }
}

/** The help that was asked for; also where nothing was. */
function helpFor([first, ...rest]: readonly string[]): string | undefined {
  if (first === undefined || isHelp(first)) return programHelp(COMMANDS);
  if (first === "help") {
    return rest[0] === undefined || isHelp(rest[0])
      ? programHelp(COMMANDS)
      : commandHelp(commandNamed(rest[0]));
  }
  return rest.some(isHelp) ? commandHelp(commandNamed(first)) : undefined;
}

function isHelp(word: string): boolean {
  return word === "--help" || word === "-h";
}

function commandNamed(name: string): Command {
  const command = COMMANDS.find((one) => one.name === name);
  if (command !== undefined) return command;
  const known = [...COMMANDS.map((one) => one.name), "help"];
  if (name.startsWith("-")) {
    throw new UsageError(`Cannot run ${name}: a command comes first; try ${PROGRAM} --help`);
  }
  throw new UsageError(
    `Cannot run ${name}: there is no such command${didYouMean(name, known)} (${known.join(", ")})`,
  );
}
