/** @module Rules of HTTP for every answer, documented or not (RFC 9110). */

import type { Checks } from "./check.ts";

/** The date formats of RFC 9110 §5.6.7 begin with a day of the week. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/;

export const PROTOCOL_CHECKS: Checks = {
  allow_on_405({ answer: { status, headers } }) {
    return status === 405 && !headers.has("allow") ? "405 without Allow" : undefined;
  },
  challenge_on_401({ answer: { status, headers } }) {
    const lacks = status === 401 && !headers.has("www-authenticate");
    return lacks ? "401 without WWW-Authenticate" : undefined;
  },
  retry_after({ answer: { headers } }) {
    const value = headers.get("retry-after");
    if (value === null || /^\d+$/.test(value) || DATE.test(value)) return undefined;
    return "Retry-After is neither a number of seconds nor a date";
  },
  retry_after_useful({ answer: { status, headers } }) {
    if (status !== 429 && status !== 503) return undefined;
    const value = headers.get("retry-after");
    if (value === null) return `${status} without Retry-After`;
    return /^0+$/.test(value) ? `${status} with Retry-After 0` : undefined;
  },
  no_content({ answer: { status, headers, body } }) {
    if (status === 204 && headers.has("content-length")) return "204 with Content-Length";
    return status === 205 && body.length > 0 ? "205 with content" : undefined;
  },
  not_modified({ call, answer: { status, headers } }) {
    if (status !== 304 || headers.has("etag")) return undefined;
    // The tag that matched is that of the 200.
    const hasTag = call.headers?.some(([name, value]) =>
      name.toLowerCase() === "if-none-match" && value.includes('"')
    );
    return hasTag ? "304 without etag" : undefined;
  },
  revalidation({ answer: { status, headers } }) {
    return status === 304 && headers.has("content-type") ? "304 with a media type" : undefined;
  },
};
