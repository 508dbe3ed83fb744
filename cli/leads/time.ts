/** @module Times for people: relative ones, absolute ones in UTC, and those that people type. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Milliseconds. */
export const DAY = 24 * HOUR;

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/** A length of time in its largest unit, rounded down, such as `5 m`. */
export function span(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} m`;
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/** `5 m ago` or `in 5 m`. */
export function relative(at: number, now: number): string {
  return at > now ? `in ${span(at - now)}` : `${span(now - at)} ago`;
}

/** `2026-11-21 12:00:00 UTC`. */
export function instant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** `2026-11-21`, in UTC. */
export function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The days from `from` to `to`, both included, oldest first. */
export function days(from: number, to: number): string[] {
  const first = Date.parse(day(from));
  const length = Math.floor((Date.parse(day(to)) - first) / DAY) + 1;
  return Array.from({ length }, (_, n) => day(first + n * DAY));
}

/** How people may write a point in time; for messages and help. */
export const MOMENT = "a day (2026-11-21), a time (2026-11-21T12:00, UTC) or a time ago (2d, 12h)";

/**
 * The stretch of time that a text names: a day is all of it, anything else a single point.
 *
 * @returns its beginning and its end (exclusive for a day), or undefined where it is no time
 */
export function parseMoment(
  text: string,
  now: number,
): { readonly from: number; readonly to: number } | undefined {
  const [, n, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (unit !== undefined) return point(now - Number(n) * UNITS[unit]!);
  const [, date, time, zone] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/i
      .exec(text) ?? [];
  if (date === undefined) return undefined;
  const midnight = Date.parse(date);
  // 30 February would become 2 March.
  if (Number.isNaN(midnight) || day(midnight) !== date) return undefined;
  if (time === undefined) return { from: midnight, to: midnight + DAY };
  return point(Date.parse(`${date}T${time}${zone?.toUpperCase() ?? "Z"}`));
}

function point(at: number): { from: number; to: number } | undefined {
  return Number.isNaN(at) ? undefined : { from: at, to: at };
}
