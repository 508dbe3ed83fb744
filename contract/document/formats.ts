/**
 * @module The formats that are asserted: those whose grammar is settled. All others (`duration`, `time`,
 * `idn-email`, `byte`, `float`, …) are annotations, as they are for OpenAPI (3.1 §4.4).
 */

import type { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const CHARACTER = String.raw`(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\da-f]{2})`; // RFC 3986 §2
const ATOM = String.raw`[\w!#$%&'*+/=?^\`{|}~-]+`; // RFC 5322 §3.2.3
const QUOTED = String.raw`"(?:[ !#-[\]-~]|\\[ -~])*"`;
const LABEL = "[a-z\\d](?:[a-z\\d-]*[a-z\\d])?";

const OWN = {
  // RFC 5321 §4.1.2, which permits domains without a dot, quoted local parts and addresses.
  email: new RegExp(
    `^(?:${ATOM}(?:\\.${ATOM})*|${QUOTED})@(?:${LABEL}(?:\\.${LABEL})*|\\[[!-Z^-~]+\\])$`,
    "i",
  ),
  uri: new RegExp(`^[a-z][a-z\\d+.-]*:${CHARACTER}*$`, "i"),
  "uri-reference": new RegExp(`^${CHARACTER}*$`, "i"),
} as const;

/** Adds the asserted formats. */
export function assertFormats(ajv: Ajv2020): void {
  // Dates by RFC 3339 §5.6, addresses by RFC 2673 §3.2 and RFC 4291 §2.2, UUIDs by RFC 9562 §4.
  const formats = ["date", "date-time", "ipv4", "ipv6", "uuid"] as const;
  (addFormats as unknown as (ajv: Ajv2020, formats: readonly string[]) => void)(ajv, formats);
  for (const [name, pattern] of Object.entries(OWN)) ajv.addFormat(name, pattern);
  const isInt32 = (value: number) => Number.isInteger(value) && Math.abs(value + 0.5) < 2 ** 31;
  ajv.addFormat("int32", { type: "number", validate: isInt32 });
}
