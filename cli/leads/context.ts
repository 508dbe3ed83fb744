/** @module What the commands of `deno task leads` work with. */

import type { Target } from "../../leads/delivery/target.ts";
import { errorName, ExplainedError } from "../../leads/log.ts";
import type { LeadStore, UnusableLead } from "../../leads/store.ts";
import type { Output } from "../terminal.ts";

export interface Leads {
  readonly store: LeadStore;
  /** Overwrites removed leads in the database file; undefined if KV is remote. */
  readonly rewrite?: (() => Promise<void>) | undefined;
  /** The targets of LEAD_TARGETS; undefined if it is not set here. */
  readonly targets?: readonly Pick<Target, "id" | "formerId">[] | undefined;
  /** The retention that is set here, in milliseconds; Infinity: each lead has its own. */
  readonly retentionMs: number;
  /** The result of work on one lead; null if that lead is unusable, which the command reports. */
  readonly skip: <T>(work: Promise<T>) => Promise<T | null>;
}

/** What the commands use of their surroundings. */
export interface Context extends Output {
  /** Asks a yes-or-no question; undefined without a terminal. */
  readonly confirm: ((question: string) => boolean) | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** The width of the terminal in cells; Infinity if standard output is not one. */
  readonly columns: () => number;
  /** Waits so many milliseconds; resolves to false on Ctrl-C, which no longer ends the process. */
  readonly pause: (ms: number) => Promise<boolean>;
  /** Opens KV. Commands call it, so that help and an invalid command line need no KV. */
  readonly open: () => Promise<Leads>;
}

/** Everything outside the program, so that tests can replace it. */
export interface Environment extends Omit<Context, "open"> {
  /** @param unusable is called for each lead that a method for all leads skips */
  readonly open: (unusable: (error: UnusableLead) => void) => Promise<Omit<Leads, "skip">>;
}

/**
 * Rewrites the database file after a removal, unless KV is remote.
 *
 * @param done what has already been done, for the error message
 * @throws {Error} if the file may still contain what was removed
 */
export async function clearFile({ rewrite }: Leads, done: string): Promise<void> {
  try {
    await rewrite?.();
  } catch (error) {
    throw new ExplainedError(
      `${done}, but the database file could not be rewritten and may still contain what was removed: ` +
        `${errorName(error)}. Run it again.`,
    );
  }
}
