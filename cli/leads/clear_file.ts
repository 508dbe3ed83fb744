/** @module What follows on every removal: the database's file keeps nothing of it. */

import { errorName } from "../../leads/log.ts";
import type { Context } from "./command.ts";

/**
 * Rewrites the database's file, where it is one of this machine.
 *
 * @param done what has been done already, for the operator
 * @throws {Error} where the file may still hold what was removed
 */
export async function clearFile({ rewrite }: Context, done: string): Promise<void> {
  try {
    await rewrite?.();
  } catch (error) {
    throw new Error(
      `${done}, but the database's file could not be rewritten and may still hold what was removed: ` +
        `${errorName(error)}. Run it again.`,
    );
  }
}
