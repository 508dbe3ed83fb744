/** @module What the commands of `deno task leads` work with. */

import { errorName } from "../../leads/log.ts";
import type { LeadStore } from "../../leads/store.ts";
import type { Output } from "../terminal.ts";

export interface Leads {
  readonly store: LeadStore;
  /** Overwrites removed leads in the database file; undefined if KV is remote. */
  readonly rewrite?: (() => Promise<void>) | undefined;
}

/** Everything outside the program, so that tests can replace it. */
export interface Context extends Output {
  /** Asks a yes-or-no question; undefined without a terminal. */
  readonly confirm: ((question: string) => boolean) | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Opens KV. Commands call it, so that help and an invalid command line need no KV. */
  readonly open: () => Promise<Leads>;
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
    throw new Error(
      `${done}, but the database file could not be rewritten and may still contain what was removed: ` +
        `${errorName(error)}. Run it again.`,
    );
  }
}
