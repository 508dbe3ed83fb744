/**
 * @module How a setting is written: durations, allowances, origins, lists, keys. Each reader takes the
 * text of a variable and says what is wrong with it without repeating it: some are secrets.
 *
 * Plain functions instead of zod, whose load time would delay the first answer.
 */

import { type Allowance, type ContentSignal, EMAIL, type SealingKey } from "../schemas/values.ts";

/** Why a text cannot be used: each fault ends a sentence that begins with the variable's name. */
export class ValueFault extends Error {
  override readonly name = "ValueFault";
  readonly faults: readonly string[];
  constructor(...faults: string[]) {
    super(faults.join("; "));
    this.faults = faults;
  }
}

/** Turns the text of a variable into its value. @throws {ValueFault} */
export type Reader<T> = (text: string) => T;

/** A value that may be left out: then it is undefined. */
export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return (text) => text === "" ? undefined : read(text);
}

/** @throws {ValueFault} unless the condition holds */
function demand(condition: boolean, fault: string): asserts condition {
  if (!condition) throw new ValueFault(fault);
}

/** Milliseconds by unit of a duration. */
const UNIT_MS: Record<string, number> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The milliseconds of a whole number and a unit, or undefined. */
function toMs(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * UNIT_MS[unit]!;
}

/** A duration in milliseconds, between two that are written like it, both included. */
export function duration(from: string, to: string): Reader<number> {
  return (text) => {
    const ms = toMs(text);
    demand(
      ms !== undefined && ms >= toMs(from)! && ms <= toMs(to)!,
      `must be a whole number and a unit (ms, s, m, h, d), from ${from} to ${to}`,
    );
    return ms;
  };
}

/** A count and a window: `20/10m`. */
export function allowance(text: string): Allowance {
  const [, digits, window = ""] = /^([1-9]\d{0,5})\/(.+)$/.exec(text) ?? [];
  const windowMs = toMs(window);
  demand(
    windowMs !== undefined,
    "must be a count from 1 to 999999 and a window, such as 20/10m",
  );
  const count = Number(digits);
  demand(
    windowMs >= Math.max(UNIT_MS["s"]!, count) && windowMs <= 366 * UNIT_MS["d"]!,
    "must have a window of at least 1s, and 1ms for each count, and at most 366d",
  );
  return { count, windowMs };
}

/** A whole number within bounds, both included. */
export function integer(from: number, to: number): Reader<number> {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN;
    demand(number >= from && number <= to, `must be a whole number from ${from} to ${to}`);
    return number;
  };
}

/** The origin that an http or https URL consists of, without a slash at its end. */
export function origin(text: string): string {
  const url = URL.parse(text);
  demand(
    url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`,
    "must be an http or https URL with neither path nor query",
  );
  return url.origin;
}

/** Any text of at most so many characters (code points). */
export function text(most: number): Reader<string> {
  return (text) => {
    demand([...text].length <= most, `must have at most ${most} characters`);
    return text;
  };
}

/** A name as in a host name. */
export function slug(text: string): string {
  const fault = "must be 1 to 63 lower-case letters, digits and hyphens";
  demand(/^[a-z0-9-]{1,63}$/.test(text), fault);
  return text;
}

/** What the HTML standard takes for an email address. */
export function email(text: string): string {
  demand(EMAIL.test(text), "must be an email address");
  return text;
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** Reads each word by itself, and tells of all that are wrong by their place. */
function eachWord<T>(text: string, read: (word: string) => T | ValueFault): T[] {
  const values = wordsOf(text).map(read);
  const faults = values.flatMap((value, index) =>
    value instanceof ValueFault ? [`entry ${index + 1} ${value.message}`] : []
  );
  if (faults.length > 0) throw new ValueFault(...faults);
  return values as T[];
}

/**
 * What keeps a URL from being a target, as the end of a sentence that does not repeat it; undefined
 * where nothing does. Given from outside, because `leads/delivery/` knows the kinds of targets.
 */
export type TargetFault = (url: URL) => string | undefined;

/** URLs, separated by white space. */
export function targets(faultOf: TargetFault): Reader<URL[]> {
  return (text) =>
    eachWord(text, (word) => {
      const url = URL.parse(word);
      const fault = url === null ? "must be an absolute URL" : faultOf(url);
      return fault === undefined ? url! : new ValueFault(fault);
    });
}

/** Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
function isWebhookSecret(text: string): boolean {
  const length = text.startsWith("whsec_") ? bytesOf(text.slice("whsec_".length))?.length : 0;
  return length !== undefined && length >= 24 && length <= 64;
}

/** Secrets of Standard Webhooks, separated by white space. */
export function secrets(text: string): string[] {
  const entries = wordsOf(text);
  const fault = "each entry must be whsec_ and 24 to 64 bytes in base64";
  demand(entries.every(isWebhookSecret), fault);
  return entries;
}

/** `id:base64`, newest first. */
export function sealingKeys(text: string): SealingKey[] {
  const keys = eachWord(text, (word) => {
    const [, id, base64] = /^([A-Za-z0-9_-]{1,32}):(.+)$/.exec(word) ?? [];
    const key = id === undefined ? undefined : bytesOf(base64!);
    return id !== undefined && key?.length === 32 ? { id, key } : new ValueFault(
      "must be an id of 1 to 32 letters, digits, - and _, then : and 32 bytes in base64",
    );
  });
  demand(new Set(keys.map(({ id }) => id)).size === keys.length, "must not name two keys alike");
  return keys;
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    return undefined;
  }
}

/** Lines of text, separated by semicolons. */
export function lines(text: string): string[] {
  const entries = text.split(";").map((line) => line.trim()).filter((line) => line !== "");
  demand(
    entries.length <= 20 && entries.every((line) => line.length <= 200),
    "must have at most 20 lines, separated by ;, of at most 200 characters",
  );
  return entries;
}

const SIGNALS = ["search", "ai-input", "ai-train"] as const;

/** `search=yes, ai-input=yes, ai-train=no`, in any order (contentsignals.org). */
export function contentSignal(text: string): ContentSignal {
  const signals = new Map(
    text.split(",").map((part) => {
      const [name = "", value = ""] = part.split("=").map((word) => word.trim());
      return [name, value];
    }),
  );
  demand(
    signals.size === SIGNALS.length &&
      SIGNALS.every((name) => /^(?:yes|no)$/.test(signals.get(name) ?? "")),
    `must have each of ${SIGNALS.join(", ")} once, each with =yes or =no, by commas`,
  );
  const says = (name: typeof SIGNALS[number]) => signals.get(name) === "yes";
  return { search: says("search"), aiInput: says("ai-input"), aiTrain: says("ai-train") };
}
