/**
 * @module Values of formats, and words that no implementation takes for them. Only what all
 * validators agree about; an unknown format is any text.
 */

import fc from "fast-check";
import type { ValueOptions } from "./options.ts";

interface Format {
  readonly smallest: string;
  readonly broken: readonly string[];
  values(options: Pick<ValueOptions, "dotless">): fc.Arbitrary<string>;
  /** A valid text of exactly so many characters; formats without it have one length. */
  readonly ofLength?: (length: number) => string;
}

const SITE = "https://example.invalid/";
const LETTERS_DIGITS = "abcxyzABCXYZ019";
/** Characters of an unquoted local part (RFC 5321 §4.1.2, RFC 5322 §3.2.3). */
const ATEXT = "abcxyzABCXYZ019!#$%&'*+-/=?^_`{|}~";
const MOMENTS = { min: new Date(0), max: new Date("2099-12-31T23:59:59Z"), noInvalidDate: true };

const moment = fc.date(MOMENTS).map((date) => date.toISOString());
const part = fc.constantFrom(...LETTERS_DIGITS, "-", "_", "~", "%20", "?a=1&", "/");
const uris = fc.string({ unit: part, maxLength: 20 }).map((parts) => SITE + parts);

/** Strings that no validator of `format: email` accepts. */
const BROKEN_EMAILS = [
  ...["a", "", "@", "a@", "@a.invalid", "a@@a.invalid", "a@a@a.invalid", "a b@a.invalid"],
  ...["a@a b.invalid", "a@a..invalid", "a@.invalid", "a\n@a.invalid", "a@a.invalid "],
  ...[" a@a.invalid", "a@-a.invalid", "a@a.invalid\n", "a,b@a.invalid"],
];
/** Addresses below `invalid`, to which nothing is delivered. */
function emails({ dotless }: Pick<ValueOptions, "dotless">): fc.Arbitrary<string> {
  const atom = fc.string({ unit: fc.constantFrom(...ATEXT), minLength: 1, maxLength: 20 });
  const local = fc.array(atom, { minLength: 1, maxLength: 3 }).map((atoms) => atoms.join("."));
  const edge = fc.constantFrom(...LETTERS_DIGITS);
  const inner = fc.string({ unit: fc.constantFrom(...LETTERS_DIGITS, "-"), maxLength: 61 });
  const label = fc.oneof(edge, fc.tuple(edge, inner, edge).map((parts) => parts.join("")));
  const labels = fc.array(label, { minLength: dotless ? 0 : 1, maxLength: 2 });
  return fc.tuple(local, labels).map(([name, names]) =>
    `${name}@${[...names, "invalid"].join(".")}`
  );
}

/** An address whose parts have the lengths that RFC 5321 §4.5.3.1 allows, up to 254 characters. */
function emailOf(length: number): string {
  const local = "a".repeat(Math.min(64, length - "@a.invalid".length));
  const labels = "a".repeat(length - local.length - "@.invalid".length);
  return `${local}@${labels.replace(/a{62}a(?=a)/g, `${"a".repeat(62)}.`)}.invalid`;
}

/** A format with listed values. */
function listed(values: readonly [string, ...string[]], broken: readonly string[]): Format {
  return { smallest: values[0], broken, values: () => fc.constantFrom(...values) };
}

const uri: Format = {
  smallest: SITE,
  broken: ["", "a b", "://"],
  values: () => uris,
  ofLength: (length) => SITE.padEnd(length, "a"),
};

export const FORMATS: Readonly<Record<string, Format>> = {
  uuid: {
    ...listed([`00000000-0000-4000-8000-${"0".repeat(12)}`], ["x", "00000000-0000-4000-8000-0"]),
    values: () => fc.uuid(),
  },
  date: {
    ...listed(["2000-01-01"], ["x", "2000-13-01", "2001-02-29"]),
    values: () => moment.map((text) => text.slice(0, 10)),
  },
  "date-time": {
    ...listed(["2000-01-01T00:00:00Z"], ["x", "2000-13-01T00:00:00Z", "2000-01-01T25:00:00Z"]),
    values: () =>
      fc.tuple(moment, fc.constantFrom("Z", "+00:00", "-08:00", "+05:30"))
        .map(([text, zone]) => text.replace("Z", zone)),
  },
  time: listed(["00:00:00Z", "23:59:59Z", "12:30:00+02:00"], ["x", "25:00:00Z"]),
  duration: listed(["PT1S", "P1D", "PT1H", "P1DT12H"], ["x", "P"]),
  uri,
  url: uri,
  "uri-reference": { ...uri, broken: [] },
  hostname: listed(["a.invalid", "example.invalid", "a-b.example.invalid"], ["-a", "a b", "a..b"]),
  email: { ...listed(["a@a.invalid"], BROKEN_EMAILS), values: emails, ofLength: emailOf },
  ipv4: { ...listed(["192.0.2.1"], ["x", "256.0.0.1"]), values: () => fc.ipV4() },
  ipv6: listed(["2001:db8::1", "::1", "::"], ["x", ":::"]),
  byte: listed(["YQ==", "YWE=", "YWFh"], []),
};
