/** @module Ids of leads: UUIDv7 (RFC 9562 §5.7), which sort by time. */

import { V7Generator } from "uuidv7";

/** Each id sorts after the one before, even if the clock is set back by less than ten seconds. */
export function createLeadIds(): (now: number) => string {
  const generator = new V7Generator();
  return (now) => generator.generateOrResetWithTs(now).toString();
}

/** When a lead arrived: a UUIDv7 begins with 48 bits of epoch milliseconds (RFC 9562 §5.7). */
export function arrivalOf(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The least id of a time in epoch milliseconds. */
export function idAt(time: number): string {
  return Math.max(0, Math.min(time, 2 ** 48 - 1)).toString(16).padStart(12, "0").replace(
    /^.{8}/,
    "$&-",
  );
}
