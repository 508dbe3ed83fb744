/** @module What a command of the operator's program is, and what it works with. */

import type { LeadStore } from "../../leads/store.ts";

/** Where a command's words go. Nothing here is a process, so that a test can stand in for it. */
export interface Terminal {
  /** Writes to standard output, as it is. */
  out(text: string): void;
  /** Writes to standard error, as it is. */
  err(text: string): void;
  /** Characters a line; infinite where standard output is not a terminal. */
  readonly columns: number;
  /** Whether standard output shows bold and dim. */
  readonly colours: boolean;
  /** Asks a yes-or-no question; undefined without a terminal. */
  readonly confirm: ((question: string) => boolean) | undefined;
}

/** The leads. */
export interface Stores {
  readonly store: LeadStore;
  /**
   * Overwrites removed leads in the database's file; undefined if the database is on another machine.
   */
  readonly rewrite?: (() => Promise<void>) | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What a command works with. */
export type Context = Terminal & Stores;

/** An option that is either there or not. */
export interface FlagOption {
  readonly type: "boolean";
  readonly summary: string;
}

/** An option with a value. */
export interface ValueOption {
  readonly type: "string";
  /** The placeholder of the value in the help. */
  readonly value: string;
  readonly summary: string;
}

/** Options by name, without the two hyphens. */
export type Options = Readonly<Record<string, FlagOption | ValueOption>>;

/** What was on the command line after the command's name. */
export interface Args {
  readonly flags: ReadonlySet<string>;
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly operand: string | undefined;
}

/** One command. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What comes after the program's name, such as `show ID`. */
  readonly usage: string;
  /** Paragraphs of the command's help. */
  readonly help: readonly string[];
  /** Command lines to copy, without the program's name. */
  readonly examples: readonly string[];
  readonly options: Options;
  /** Whether something that is not an option may, must or must not follow. */
  readonly operand?: "required" | "optional";
  /**
   * @throws {UsageError} where the command line makes no sense
   * @throws {Error} where it does but the command fails
   */
  run(context: Context, args: Args): Promise<void>;
}

/** A command line that makes no sense; the message says what would. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** How people start the program. */
export const PROGRAM = "deno task leads";
