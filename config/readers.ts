/**
 * @module Parsers of settings: durations, rate limits, origins, lists, keys. Their errors never repeat
 * the text of a variable: some are secrets.
 *
 * Plain functions instead of zod, whose load time would delay the first answer.
 */

import { isEmail } from "../schemas/email.ts";

/** `count` requests within `windowMs` milliseconds. */
export interface RateLimit {
  readonly count: number;
  readonly windowMs: number;
}

/** A key and the id by which sealed content refers to it. */
export interface SealingKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** A receiver of leads, as configured. */
export interface TargetSetting {
  /** Identifies its queue: with a changed URL it is still the same target. */
  readonly name: string;
  readonly url: URL;
  /** Header fields of every request to it, by lower-case name; their values may be secrets. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A time of the day in a time zone (IANA). */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  readonly zone: string;
}

/** What crawlers may use the texts for (contentsignals.org). */
export interface ContentSignal {
  readonly search: boolean;
  readonly aiInput: boolean;
  readonly aiTrain: boolean;
}

/** An invalid text; each problem completes a sentence that begins with the variable's name. */
export class InvalidValue extends Error {
  override readonly name = "InvalidValue";
  readonly problems: readonly string[];
  constructor(...problems: string[]) {
    super(problems.join("; "));
    this.problems = problems;
  }
}

/** Parses the text of a variable. @throws {InvalidValue} */
export type Reader<T> = (text: string) => T;

export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return (text) => text === "" ? undefined : read(text);
}

/** @throws {InvalidValue} unless the condition holds */
export function demand(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new InvalidValue(problem);
}

function textThat(condition: (text: string) => boolean, problem: string): Reader<string> {
  return (text) => {
    demand(typeof text === "string" && condition(text), problem); // site.json may hold anything
    return text;
  };
}

const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The milliseconds of a whole number and a unit, else NaN. */
function toMs(text: string): number {
  const [, count, unit = ""] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  return Number(count) * (UNIT_MS[unit] ?? NaN);
}

/** Milliseconds as `duration` reads them, in the largest unit of which they are a whole number. */
export function durationText(ms: number): string {
  const [unit, size] = Object.entries(UNIT_MS).findLast(([, size]) => ms % size === 0)!;
  return ms / size + unit;
}

/** A duration in milliseconds, from `from` to `to`, inclusive. */
export function duration(from: string, to: string): Reader<number> {
  return (text) => {
    const ms = toMs(text);
    demand(
      ms >= toMs(from) && ms <= toMs(to),
      `must be a whole number and a unit (ms, s, m, h, d), from ${from} to ${to}`,
    );
    return ms;
  };
}

/** A count and a window: `20/10m`. */
export function rateLimit(text: string): RateLimit {
  const [, digits, window = ""] = /^([1-9]\d{0,5})\/(.+)$/.exec(text) ?? [];
  const count = Number(digits);
  const windowMs = toMs(window);
  demand(!isNaN(windowMs), "must be a count from 1 to 999999 and a window, such as 20/10m");
  demand(
    windowMs >= Math.max(toMs("1s"), count) && windowMs <= toMs("366d"),
    "must have a window of at least 1s, and 1ms for each count, and at most 366d",
  );
  return { count, windowMs };
}

export function integer(from: number, to: number): Reader<number> {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN;
    demand(number >= from && number <= to, `must be a whole number from ${from} to ${to}`);
    return number;
  };
}

/** An http or https URL without path or query; without its trailing slash. */
export function origin(text: string): string {
  const url = URL.parse(text);
  demand(
    url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`,
    "must be an http or https URL with neither path nor query",
  );
  return url.origin;
}

export function text(most: number): Reader<string> {
  const form = new RegExp(`^[^\\p{Cc}\\p{NChar}]{1,${most}}$`, "u");
  return textThat((text) => form.test(text), `must have 1 to ${most} characters, no control ones`);
}

/** A name as in a host name. */
export const slug: Reader<string> = textThat(
  (text) => /^[a-z0-9-]{1,63}$/.test(text),
  "must be 1 to 63 lower-case letters, digits and hyphens",
);

export const email: Reader<string> = textThat(isEmail, "must be an email address");

/** Entries separated by white space, with a key each; reports every problem with its entry's number. */
function list<T>(
  readEntry: Reader<T>,
  { keyOf = () => Symbol(), problem = "" }: { keyOf?: (value: T) => unknown; problem?: string } =
    {},
): Reader<T[]> {
  return (text) => {
    const values: T[] = [];
    const problems: string[] = [];
    const keys = new Set<unknown>();
    for (const [index, entry] of text.split(/\s+/).filter(Boolean).entries()) {
      try {
        const value = readEntry(entry);
        const key = keyOf(value);
        demand(!keys.has(key), problem);
        keys.add(key);
        values.push(value);
      } catch (error) {
        if (!(error instanceof InvalidValue)) throw error;
        problems.push(`entry ${index + 1} ${error.message}`);
      }
    }
    if (problems.length > 0) throw new InvalidValue(...problems);
    return values;
  };
}

/**
 * Returns why a URL cannot be a target, as the end of a sentence that does not repeat it. Injected,
 * because `leads/delivery/` knows the kinds of targets.
 */
export type TargetProblem = (url: URL) => string | undefined;

/** A lead's record has room for the attempts at so many. */
const MOST_TARGETS = 10;

/**
 * A user and a colon without a password and `@`: a `#` ends them in a URL and begins a comment in a file
 * for `--env-file`, where `$NAME` is replaced as well.
 */
const LOOKS_CUT = /:\/\/[^@/?#]*:(?:@|[^@/?#]*(?:[/?#]|$))/;

/** `name=URL`; without a name, the host is the name. */
export function targets(problemOf: TargetProblem): Reader<TargetSetting[]> {
  const entries = list((text) => {
    const [, name, address = text] = /^([a-z0-9][a-z0-9_-]{0,31})=(.*)$/.exec(text) ?? [];
    const url = URL.parse(address);
    const problem = url === null
      ? "must be an absolute URL, or a name (at most 32 of a-z, 0-9, - and _), = and such a URL"
      : /[,;][^/]*:\/\//.test(text)
      ? "must be separated from the next one by a space"
      : problemOf(url);
    const hint = LOOKS_CUT.test(text) ? " (in a password # is written %23, and $ %24)" : "";
    demand(url !== null && problem === undefined, problem + hint);
    const setting = { name: name ?? url.host, url, headers: {} };
    // Deliveries are objects by target, which would find what every object inherits.
    demand(!(setting.name in {}), "must have another name, as in crm=https://…");
    return setting;
  }, {
    keyOf: ({ name }) => name,
    problem: "must have a name of its own, as in crm=https://…: an earlier one has it",
  });
  return (text) => {
    const found = entries(text);
    demand(found.length <= MOST_TARGETS, `must have at most ${MOST_TARGETS} targets`);
    return found;
  };
}

/** Fields that the delivery itself sets, and those of the connection (RFC 9110 §7.6.1). */
const OWN_HEADERS =
  /^(?:host|expect|(?:content|webhook)-.*|connection|keep-alive|te|trailer|transfer-.*|upgrade)$/;

type TargetHeader = Readonly<Record<"target" | "name" | "value", string>>;

/** `target:Header=value`, the value percent-encoded. */
export const targetHeaders: Reader<TargetHeader[]> = list((entry) => {
  const [, target = "", field = "", encoded = ""] =
    /^([^=]+):([\w!#$%&'*+.^`|~-]+)=((?:[!-$&-~]|%[2-6][0-9a-f]|%7[0-9a-e])+)$/i.exec(entry) ?? [];
  const value = decodeURIComponent(encoded);
  demand(
    value !== "" && value.trim() === value,
    "must be TARGET:Header=value, in ASCII, the value percent-encoded (a space as %20)",
  );
  const name = field.toLowerCase();
  demand(!OWN_HEADERS.test(name), "must not set a header of the delivery itself");
  return { target, name, value };
}, {
  keyOf: ({ target, name }) => `${target}:${name}`,
  problem: "must not set the header of an earlier entry again",
});

/** Names of targets; {@link targets} says which there are. */
export const targetNames: Reader<string[]> = list(String, {
  keyOf: (name) => name,
  problem: "must not name a target again",
});

export function timeOfDay(text: string): TimeOfDay {
  const [, hour, minute, zone = ""] = /^([01]\d|2[0-3]):([0-5]\d) (\S+)$/.exec(text) ?? [];
  let isKnown = zone !== "";
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
  } catch {
    isKnown = false;
  }
  demand(isKnown, "must be a time and an IANA time zone, such as 08:00 Europe/Berlin");
  return { hour: Number(hour), minute: Number(minute), zone };
}

export const secrets: Reader<string[]> = list(textThat((text) => {
  const length = bytesOf(/^whsec_(.*)$/.exec(text)?.[1]).length;
  return length >= 24 && length <= 64;
}, "must be whsec_ and 24 to 64 bytes in base64"));

/** `id:base64`, newest first. */
export const sealingKeys: Reader<SealingKey[]> = list((entry) => {
  const [, id = "", base64] = /^([A-Za-z0-9_-]{1,32}):(.+)$/.exec(entry) ?? [];
  const key = bytesOf(base64);
  demand(
    key.length === 32,
    "must be an id of 1 to 32 letters, digits, - and _, then : and 32 bytes in base64",
  );
  return { id, key };
}, { keyOf: ({ id }) => id, problem: "must not use the id of an earlier entry" });

/** Decodes base64; no bytes if the text is not base64. */
function bytesOf(base64 = ""): Uint8Array {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    return new Uint8Array();
  }
}

/** Lines of text, separated by semicolons. */
export function lines(text: string): string[] {
  const entries = text.split(";").map((line) => line.trim()).filter(Boolean);
  demand(
    entries.length <= 20 && entries.every((line) => line.length <= 200),
    "must have at most 20 lines, separated by ;, of at most 200 characters",
  );
  return entries;
}

/** `search=yes, ai-input=yes, ai-train=no`, in any order (contentsignals.org). */
export function contentSignal(text: string): ContentSignal {
  const sorted = text.replace(/\s/g, "").split(",").sort().join();
  demand(
    /^ai-input=(?:yes|no),ai-train=(?:yes|no),search=(?:yes|no)$/.test(sorted),
    "must have each of search, ai-input, ai-train once, each with =yes or =no, separated by commas",
  );
  const isYes = (name: string) => sorted.includes(`${name}=yes`);
  return { search: isYes("search"), aiInput: isYes("ai-input"), aiTrain: isYes("ai-train") };
}
