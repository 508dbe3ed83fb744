/** @module Rules of HTTP for every answer, documented or not (RFC 9110). */

import type { Check } from "./check.ts";

/** The date formats of RFC 9110 §5.6.7 begin with a day of the week. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/;

export const PROTOCOL_CHECKS: readonly Check[] = [
  {
    name: "allow_on_405",
    judge: ({ answer: { status, headers } }) =>
      status === 405 && !headers.has("allow") ? ["405 without Allow"] : [],
  },
  {
    name: "challenge_on_401",
    judge: ({ answer: { status, headers } }) =>
      status === 401 && !headers.has("www-authenticate") ? ["401 without WWW-Authenticate"] : [],
  },
  {
    name: "retry_after",
    judge({ answer: { headers } }) {
      const value = headers.get("retry-after");
      if (value === null || /^\d+$/.test(value) || DATE.test(value)) return [];
      return ["Retry-After is neither a number of seconds nor a date"];
    },
  },
  {
    name: "retry_after_useful",
    judge({ answer: { status, headers } }) {
      if (status !== 429 && status !== 503) return [];
      const value = headers.get("retry-after");
      return value === null || /^0+$/.test(value)
        ? [`${status} ${value === null ? "without Retry-After" : "with Retry-After 0"}`]
        : [];
    },
  },
  {
    name: "no_content",
    judge({ answer: { status, headers, body } }) {
      if (status === 204 && headers.has("content-length")) return ["204 with Content-Length"];
      return status === 205 && body.length > 0 ? ["205 with content"] : [];
    },
  },
  {
    name: "not_modified",
    judge({ call, answer: { status, headers } }) {
      // The tag that matched is that of the 200.
      const hasTag =
        call.headers?.some(([name, value]) =>
          name.toLowerCase() === "if-none-match" && value.includes('"')
        ) ?? false;
      return status === 304 && hasTag && !headers.has("etag") ? ["304 without etag"] : [];
    },
  },
  {
    name: "revalidation",
    judge: ({ answer: { status, headers } }) =>
      status === 304 && headers.has("content-type") ? ["304 with a media type"] : [],
  },
];
