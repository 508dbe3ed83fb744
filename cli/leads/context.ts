/** @module What the commands of `deno task leads` work with. */

import type { Command } from "commander";
import { errorName } from "../../leads/log.ts";
import type { LeadStore } from "../../leads/store.ts";
import type { Output } from "../terminal.ts";

/** The leads. */
export interface Leads {
  readonly store: LeadStore;
  /** Overwrites removed leads in the database's file; undefined if KV is on another machine. */
  readonly rewrite?: (() => Promise<void>) | undefined;
}

/** What a command works with. Nothing here is a process, so that a test can stand in for it. */
export interface Context extends Output {
  /** Asks a yes-or-no question; undefined without a terminal. */
  readonly confirm: ((question: string) => boolean) | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Opens KV: called by the command, so that help and a bad command line need none. */
  readonly open: () => Promise<Leads>;
}

/** Adds a command to the program. */
export type AddCommand = (program: Command, context: Context) => void;

/**
 * Rewrites the database's file after a removal, where it is one of this machine.
 *
 * @param done what has been done already, for the operator
 * @throws {Error} if the file may still hold what was removed
 */
export async function clearFile({ rewrite }: Leads, done: string): Promise<void> {
  try {
    await rewrite?.();
  } catch (error) {
    throw new Error(
      `${done}, but the database's file could not be rewritten and may still hold what was removed: ` +
        `${errorName(error)}. Run it again.`,
    );
  }
}
