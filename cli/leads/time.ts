/** @module Times for people: relative ones, and those that people type. */

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

const format = new Intl.RelativeTimeFormat("en", { style: "narrow" });

/** `5m ago` or `in 5m`: in the largest unit that fits, rounded down. */
export function relative(at: number, now: number): string {
  const [unit, ms] = UNITS.find(([, ms]) => Math.abs(at - now) >= ms) ?? UNITS[3];
  return format.format(Math.trunc((at - now) / ms), unit);
}

/** ISO 8601, in UTC. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}

/** A stretch of time in epoch milliseconds: a whole day, or a point. */
export interface Moment {
  readonly from: number;
  /** Exclusive for a day. */
  readonly to: number;
}

/** How people may write a {@link Moment}; for messages and help. */
export const MOMENT = "a day (2026-11-21), a time (2026-11-21T12:00, UTC) or a time ago (2d, 12h)";

/** The time that a text names; undefined if it names none. */
export function parseMoment(text: string, now: number): Moment | undefined {
  const [, n, letter] = /^(\d{1,9})([dhms])$/.exec(text) ?? [];
  const [, ago] = UNITS.find(([unit]) => unit[0] === letter) ?? [];
  if (ago !== undefined) return point(now - Number(n) * ago);
  const [, date, time, zone = "Z"] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ??
      [];
  const midnight = Date.parse(date ?? "");
  // 30 February would become 2 March.
  if (Number.isNaN(midnight) || !iso(midnight).startsWith(date!)) return undefined;
  if (time === undefined) return { from: midnight, to: midnight + UNITS[0][1] };
  return point(Date.parse(`${date}T${time}${zone}`));
}

function point(at: number): Moment | undefined {
  return Number.isNaN(at) ? undefined : { from: at, to: at };
}
