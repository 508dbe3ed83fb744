/** @module Rules of HTTP for every answer, documented or not (RFC 9110). */

import { type Check, listOf } from "./check.ts";

export const allowOn405: Check = {
  name: "allow_on_405",
  judge({ call, answer, neighbours }) {
    if (answer.status !== 405) return [];
    const allow = listOf(answer.headers.get("allow"));
    if (allow.length === 0) return ["405 without Allow"];
    const faults = neighbours.map(({ method }) => method)
      .filter((method) => !allow.includes(method))
      .map((method) => `Allow on 405 lacks ${method}, which is documented`);
    return allow.includes(call.method)
      ? [...faults, "Allow on 405 names the method that was refused"]
      : faults;
  },
};

export const retryAfter: Check = {
  name: "retry_after",
  judge({ answer }) {
    if (answer.status !== 429) return [];
    const value = answer.headers.get("retry-after") ?? "";
    return /^[1-9]\d*$/.test(value) ? [] : [`429 with Retry-After ${JSON.stringify(value)}`];
  },
};

/** The tiers compare a 304 with its 200. */
export const notModified: Check = {
  name: "not_modified",
  judge({ answer }) {
    if (answer.status !== 304) return [];
    const missing = ["etag", "cache-control"].filter((name) => !answer.headers.has(name));
    const typed = answer.headers.has("content-type") ? ["304 with a media type"] : [];
    return [...missing.map((name) => `304 without ${name}`), ...typed];
  },
};
