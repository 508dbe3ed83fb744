/**
 * @module How much of a request or response a report shows: it may be hundreds of kilobytes long.
 */

import { curlOf, type Exchange } from "../exchange.ts";

/** In characters. */
const MOST_SHOWN = 2_000;

/** The tier that sends one counterexample alone; `--only` does not know it. */
const REPLAY = "replay";

/** The text, or its beginning and how much is left out. */
export function shortened(text: string): string {
  if (text.length <= MOST_SHOWN) return text;
  const more = (text.length - MOST_SHOWN).toLocaleString("en");
  return `${text.slice(0, MOST_SHOWN)}\n… ${more} more characters`;
}

/**
 * The request as a line for bash; of a long one the beginning, and what sends it whole.
 * @param replay the file of its counterexample, where one was kept
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
