/** @module Reads Retry-After (RFC 9110 §10.2.3): seconds, or one of the three forms of a date (§5.6.7). */

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const MONTH = `(?<month>${MONTHS.join("|")})`;
const TIME = String.raw`(?<hours>[01]\d|2[0-3]):(?<minutes>[0-5]\d):(?<seconds>[0-5]\d|60)`;
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const LONG_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";

/** IMF-fixdate, and the obsolete forms of RFC 850 and asctime. */
const DATES = [
  `${DAY}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT`,
  `${LONG_DAY}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT`,
  `${DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));

export interface RetryAfter {
  readonly seconds: number;
  readonly isDate: boolean;
}

/** Undefined if missing or malformed. A date counts from the answer's Date: clocks may differ. */
export function retryAfterOf(headers: Headers, now: number = Date.now()): RetryAfter | undefined {
  const value = headers.get("retry-after") ?? "";
  if (/^\d+$/.test(value)) return { seconds: Number(value), isDate: false };
  const date = timeOf(value, now);
  if (date === undefined) return undefined;
  const from = timeOf(headers.get("date") ?? "", now) ?? now;
  return { seconds: Math.max(0, (date - from) / 1_000), isDate: true };
}

/** The time of a date in HTTP, in milliseconds; undefined if it is none. */
function timeOf(text: string, now: number): number | undefined {
  const groups = DATES.map((form) => form.exec(text)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return undefined;
  const { year = "", month = "", ...numbers } = groups;
  const [day, ...time] = ["day", "hours", "minutes", "seconds"].map((name) =>
    Number(numbers[name])
  );
  const timeIn = (year: number) => Date.UTC(year, MONTHS.indexOf(month), day, ...time);
  if (year.length === 4) return timeIn(Number(year));
  // A year with two digits that seems to be more than 50 years ahead is in the past.
  const today = new Date(now);
  const latest = today.setUTCFullYear(today.getUTCFullYear() + 50);
  const century = Math.floor(new Date(now).getUTCFullYear() / 100) * 100;
  return [100, 0, -100].map((more) => timeIn(century + more + Number(year)))
    .find((time) => time <= latest);
}
