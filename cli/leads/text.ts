/** @module Formats text and times for a terminal. */

import { dump } from "js-yaml";
import { forTerminal, UNSAFE } from "../../lib/terminal_text.ts";

/** The text in one line, with U+FFFD for characters that control a terminal. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").replace(UNSAFE, "\u{FFFD}");
}

/** A value as JSON, by default in one line, with escapes for characters that control a terminal. */
export function json(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(
    UNSAFE,
    (character) =>
      character === "\n" ? "\n" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A value as YAML for people: attempts in a line each, without line ends that YAML would escape. */
export function yaml(value: unknown): string {
  const text = JSON.stringify(value);
  const plain = JSON.parse(
    text,
    (_, one) => typeof one === "string" ? one.replaceAll("\r\n", "\n") : one,
  );
  return forTerminal(dump(plain, { lineWidth: -1, flowLevel: 4 }));
}

/** A number and its noun, such as `1,204 leads` or `2 deliveries`. */
export function count(n: number, noun: string): string {
  const plural = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${n.toLocaleString("en")} ${n === 1 ? noun : plural}`;
}

/** ISO 8601, in UTC. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Units of time in milliseconds, the largest first. */
export const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 };

const relativeFormat = new Intl.RelativeTimeFormat("en", { style: "narrow" });

/** `5m ago` or `in 5m`: in the largest unit that fits, rounded down. */
export function relative(at: number, now: number): string {
  const units = Object.keys(UNITS) as (keyof typeof UNITS)[];
  const unit = units.find((unit) => Math.abs(at - now) >= UNITS[unit]) ?? "second";
  return relativeFormat.format(Math.trunc((at - now) / UNITS[unit]), unit);
}
