/** @module Ids of leads: UUIDv7 (RFC 9562 §5.7), which sort by time. */

import { V7Generator } from "uuidv7";

/**
 * Makes what makes ids. Each sorts behind the one before, also where the clock has been set back by
 * less than ten seconds.
 *
 * @returns takes epoch milliseconds
 */
export function createLeadIds(): (now: number) => string {
  const generator = new V7Generator();
  return (now) => generator.generateOrResetWithTs(now).toString();
}
