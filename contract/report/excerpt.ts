/** @module Shortens requests and answers for reports: they may be hundreds of kilobytes long. */

import { curlOf, type Exchange } from "../exchange.ts";

/** In characters. */
const MAX_SHOWN = 2_000;

/** The tier of `--replay`, which `--only` does not accept. */
const REPLAY = "replay";

/** The text, or its beginning and the number of omitted characters. */
export function shortened(text: string): string {
  if (text.length <= MAX_SHOWN) return text;
  const more = (text.length - MAX_SHOWN).toLocaleString("en");
  return `${text.slice(0, MAX_SHOWN)}\n… ${more} more characters`;
}

/**
 * The request as a line for bash, shortened, with the command that sends it whole.
 * @param replay the file of its counterexample, if there is one
 */
export function curlExcerpt(exchange: Exchange, replay?: string): string {
  const line = curlOf(exchange);
  const shown = shortened(line);
  if (shown === line) return line;
  if (replay !== undefined) return `${shown}; deno task contract --replay ${replay} sends it whole`;
  const { tier } = exchange;
  return tier === REPLAY ? shown : `${shown}; deno task contract --only ${tier} sends it whole`;
}

/** A number and its noun: `1 exchange`, `2 exchanges`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
