/** @module Ids of leads: UUIDv7 (RFC 9562 §5.7), which sort by time. */

import { V7Generator } from "uuidv7";

/** Each id sorts after the one before, even if the clock is set back by less than ten seconds. */
export function createLeadIds(): (now: number) => string {
  const generator = new V7Generator();
  return (now) => generator.generateOrResetWithTs(now).toString();
}
