/** @module Removes text from the database for good: what `erase`, `purge` and `reseal` share. */

import { ExplainedError, safeReason } from "../../lib/log.ts";
import type { Context, Leads } from "./context.ts";

/** Removes text from the database, then from its file. @throws {Error} if that may still have it */
export async function clear(
  { rewrite }: Leads,
  { out, remove }: Pick<Context, "out"> & { readonly remove: () => Promise<string> },
): Promise<void> {
  const done = await remove();
  try {
    await rewrite?.();
  } catch (error) {
    throw new ExplainedError(
      `${done}, but the database file could not be rewritten and may still contain what was removed: ` +
        `${safeReason(error)}. Run it again.`,
    );
  }
  out(`${done}\n`);
}
