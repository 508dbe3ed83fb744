/** @module Formats: grammars, values, what breaks them. An unknown one is any text (3.1 §4.4). */

import type { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";

interface Format {
  readonly smallest: string;
  readonly broken: readonly string[];
  values(): fc.Arbitrary<string>;
  /** A valid text of exactly so many characters; formats without it have one length. */
  readonly ofLength?: (length: number) => string;
  /** Asserted, unless undefined. */
  readonly grammar?: RegExp;
}

const ATOM = String.raw`[\w!#$%&'*+/=?^\`{|}~-]+`; // RFC 5322 §3.2.3
const QUOTED = String.raw`"(?:[ !#-[\]-~]|\\[ -~])*"`;
const LABEL = "[a-z\\d](?:[a-z\\d-]*[a-z\\d])?";

const EMAIL: Format = {
  smallest: "a@a.invalid",
  broken: [
    ...["a", "", "@", "a@", "@a.invalid", "a@@a.invalid", "a@a@a.invalid", "a b@a.invalid"],
    ...["a@a b.invalid", "a@a..invalid", "a@.invalid", "a\n@a.invalid", "a@a.invalid "],
    ...[" a@a.invalid", "a@-a.invalid", "a@a.invalid\n", "a,b@a.invalid"],
  ],
  // Addresses below `invalid`, to which nothing is delivered.
  values: () =>
    fc.tuple(fc.emailAddress(), fc.boolean())
      .map(([address, isUpper]) => `${isUpper ? address.toUpperCase() : address}.invalid`)
      .filter((address) => address.length <= 254),
  // The lengths that RFC 5321 §4.5.3.1 allows for its parts, up to 254 characters.
  ofLength(length) {
    const local = "a".repeat(Math.min(64, length - "@a.invalid".length));
    const labels = "a".repeat(length - local.length - "@.invalid".length);
    return `${local}@${labels.replace(/a{62}a(?=a)/g, `${"a".repeat(62)}.`)}.invalid`;
  },
  // RFC 5321 §4.1.2, which permits domains without a dot, quoted local parts and addresses.
  grammar: new RegExp(
    `^(?:${ATOM}(?:\\.${ATOM})*|${QUOTED})@(?:${LABEL}(?:\\.${LABEL})*|\\[[!-Z^-~]+\\])$`,
    "i",
  ),
};

const SITE = "https://example.invalid/";
const part = fc.constantFrom(..."abcxyzABCXYZ019", "-", "_", "~", "%20", "?a=1&", "/");
const CHARACTER = String.raw`(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\da-f]{2})`; // RFC 3986 §2

const URI: Format = {
  smallest: SITE,
  broken: ["", "a b", "://"],
  values: () => fc.string({ unit: part, maxLength: 20 }).map((parts) => SITE + parts),
  ofLength: (length) => SITE.padEnd(length, "a"),
  grammar: new RegExp(`^[a-z][a-z\\d+.-]*:${CHARACTER}*$`, "i"),
};

const DATES = ["2000-01-01", "1970-01-01", "2024-02-29", "2038-01-19", "2099-12-31"] as const;
const TIMES = ["00:00:00Z", "23:59:59Z", "12:30:00+02:00", "00:00:00.001-08:00"] as const;

function listed(values: readonly [string, ...string[]], broken: readonly string[]): Format {
  return { smallest: values[0], broken, values: () => fc.constantFrom(...values) };
}

export const FORMATS: Readonly<Record<string, Format>> = {
  uuid: {
    ...listed([`00000000-0000-4000-8000-${"0".repeat(12)}`], ["x", "00000000-0000-4000-8000-0"]),
    values: () => fc.uuid(),
  },
  date: listed(DATES, ["x", "2000-13-01", "2001-02-29"]),
  "date-time": {
    ...listed(["2000-01-01T00:00:00Z"], ["x", "2000-13-01T00:00:00Z", "2000-01-01T25:00:00Z"]),
    values: () =>
      fc.tuple(fc.constantFrom(...DATES), fc.constantFrom(...TIMES))
        .map(([date, time]) => `${date}T${time}`),
  },
  time: listed(TIMES, ["x", "25:00:00Z"]),
  duration: listed(["PT1S", "P1D", "PT1H", "P1DT12H"], ["x", "P"]),
  uri: URI,
  url: URI,
  "uri-reference": { ...URI, broken: [], grammar: new RegExp(`^${CHARACTER}*$`, "i") },
  hostname: listed(["a.invalid", "example.invalid", "a-b.example.invalid"], ["-a", "a b", "a..b"]),
  email: EMAIL,
  ipv4: listed(["192.0.2.1", "198.51.100.255", "203.0.113.0"], ["x", "256.0.0.1"]),
  ipv6: listed(["2001:db8::1", "::1", "::"], ["x", ":::"]),
  byte: listed(["YQ==", "YWE=", "YWFh"], []),
};

export function assertFormats(ajv: Ajv2020): void {
  // Dates by RFC 3339 §5.6, addresses by RFC 2673 §3.2 and RFC 4291 §2.2, UUIDs by RFC 9562 §4.
  const formats = ["date", "date-time", "ipv4", "ipv6", "uuid"] as const;
  (addFormats as unknown as (ajv: Ajv2020, formats: readonly string[]) => void)(ajv, formats);
  for (const name of ["email", "uri", "uri-reference"]) {
    ajv.addFormat(name, FORMATS[name]!.grammar!);
  }
  const isInt32 = (value: number) => Number.isInteger(value) && Math.abs(value + 0.5) < 2 ** 31;
  ajv.addFormat("int32", { type: "number", validate: isInt32 });
}
