/** @module The response headers of the API as OpenAPI header objects, once each. */

import type { Json } from "./json.ts";

function header(
  description: string,
  { example, schema = { type: "string" }, required = true }: {
    example: Json;
    schema?: Json;
    required?: boolean;
  },
): Json {
  return { description, required, schema, example };
}

/** Header objects by field name; a required one is sent with every response that lists it. */
export const HEADERS = {
  "Access-Control-Allow-Origin": header("Any origin may read this answer.", { example: "*" }),
  "Access-Control-Expose-Headers": header("What a script on another origin may read.", {
    example: "RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
  }),
  "Allow": header("The methods that the path answers (RFC 9110 §10.2.1).", {
    example: "GET, HEAD, OPTIONS",
  }),
  "Cache-Control": header("How long the answer may be kept (RFC 9111 §5.2).", {
    example: "no-store",
  }),
  "Content-Encoding": header("How the answer is compressed, where it is (RFC 9110 §8.4).", {
    example: "br",
    required: false,
  }),
  "Content-Security-Policy": header("Nothing in the answer may run (CSP Level 3).", {
    example: "default-src 'none'; frame-ancestors 'none'",
  }),
  "Cross-Origin-Resource-Policy": header("Any site may load the answer (Fetch).", {
    example: "cross-origin",
  }),
  "ETag": header("Entity tag of the representation (RFC 9110 §8.8.3).", {
    example: '"5f2ab0c1d3e4f607"',
  }),
  "RateLimit": header(
    "For each limit what is left (r) and the seconds until one request more is admitted (t).",
    { example: '"lead";r=19;t=30, "attempt";r=119;t=1' },
  ),
  "RateLimit-Policy": header("The limits: requests (q) within seconds (w).", {
    example: '"lead";q=20;w=600, "attempt";q=120;w=60',
  }),
  "Referrer-Policy": header("What a browser tells the next site (Referrer Policy).", {
    example: "strict-origin-when-cross-origin",
  }),
  "Retry-After": header("Seconds to wait before the next try (RFC 9110 §10.2.3).", {
    schema: { type: "integer", minimum: 1 },
    example: 30,
  }),
  "Strict-Transport-Security": header("Where the site is on https (RFC 6797).", {
    example: "max-age=63072000",
    required: false,
  }),
  "Vary": header("The request fields that chose this form of the answer (RFC 9110 §12.5.5).", {
    example: "Accept-Encoding",
  }),
  "X-Content-Type-Options": header("The media type is meant as sent (Fetch).", {
    example: "nosniff",
  }),
  "X-Request-Id": header("Names this request in the service's log.", {
    example: "4f6c1b0e-6c4e-4a8e-9f59-3c1f6a2d7b10",
  }),
} as const satisfies Record<string, Json>;

/** What every answer of the API carries. */
export const COMMON_HEADERS = [
  "Access-Control-Allow-Origin",
  "Cache-Control",
  "Content-Security-Policy",
  "Cross-Origin-Resource-Policy",
  "Referrer-Policy",
  "Strict-Transport-Security",
  "X-Content-Type-Options",
] as const;

/** What an answer carries that may be held against the caller's copy and may be compressed. */
export const CACHED_HEADERS = ["ETag", "Vary", "Content-Encoding"] as const;

/** References to header objects. */
export function headersOf(names: readonly (keyof typeof HEADERS)[]): Json {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
