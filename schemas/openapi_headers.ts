/** @module The response headers of the API as OpenAPI header objects, once each. */

/** JSON (RFC 8259). */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json };

type JsonObject = { readonly [name: string]: Json };

/** Values by name as OpenAPI's example objects. */
export function namedExamples(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
}

/** A header with an example, or with several by name. */
function header(
  description: string,
  example: string | number | JsonObject,
  own?: JsonObject,
): Json {
  const shown = typeof example === "object" ? { examples: namedExamples(example) } : { example };
  return { description, required: true, schema: { type: "string" }, ...shown, ...own };
}

/** Header objects by field name; every response that lists a required one has it. */
export const HEADERS = {
  "Access-Control-Allow-Origin": header("Any origin may read this response.", "*"),
  "Access-Control-Expose-Headers": header(
    "The headers that a script on another origin may read.",
    "Lead-Test, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
  ),
  "Allow": header("The methods that the path supports (RFC 9110 §10.2.1).", {
    read: "GET, HEAD, OPTIONS",
    send: "POST, OPTIONS",
  }),
  "Cache-Control": header("How long the response may be cached (RFC 9111 §5.2).", {
    fresh: "no-store",
    document: "public, max-age=300",
  }),
  "Content-Encoding": header("How the response is compressed, if it is (RFC 9110 §8.4).", "br", {
    required: false,
  }),
  "Content-Security-Policy": header(
    "Nothing in the response may be executed (CSP Level 3).",
    "default-src 'none'; frame-ancestors 'none'",
  ),
  "Cross-Origin-Resource-Policy": header("Any site may load the response (Fetch).", "cross-origin"),
  "ETag": header("Entity tag of the representation (RFC 9110 §8.8.3).", '"5f2ab0c1d3e4f607"'),
  "Lead-Test": header(
    "`?1` if the lead was a test, hence neither stored nor delivered; otherwise absent (RFC 9651 §3.3.6).",
    "?1",
    { required: false },
  ),
  "RateLimit": header(
    "For each limit, the requests left (r) and the seconds until one more is allowed (t).",
    '"lead";r=19;t=30, "attempt";r=119;t=1',
  ),
  "RateLimit-Policy": header(
    "For each limit, the requests (q) allowed within a number of seconds (w).",
    '"lead";q=20;w=600, "attempt";q=120;w=60',
  ),
  "Referrer-Policy": header(
    "How much of this URL a browser tells other sites (Referrer Policy).",
    "strict-origin-when-cross-origin",
  ),
  "Retry-After": header("Seconds to wait before the next request (RFC 9110 §10.2.3).", 30, {
    schema: { type: "integer", minimum: 1 },
  }),
  "Strict-Transport-Security": header(
    "Browsers must use https only; sent if the site uses https (RFC 6797).",
    "max-age=63072000",
    { required: false },
  ),
  "Vary": header(
    "The request headers that selected this representation (RFC 9110 §12.5.5).",
    "Accept-Encoding",
  ),
  "X-Content-Type-Options": header(
    "Browsers must not guess another media type (Fetch).",
    "nosniff",
  ),
  "X-Request-Id": header(
    "Identifies this request in the service's log.",
    "4f6c1b0e-6c4e-4a8e-9f59-3c1f6a2d7b10",
  ),
} as const satisfies Record<string, Json>;

export type HeaderName = keyof typeof HEADERS;

/** Headers of every answer of an operation. */
export const COMMON_HEADERS = [
  "Access-Control-Allow-Origin",
  "Cache-Control",
  "Content-Security-Policy",
  "Cross-Origin-Resource-Policy",
  "Referrer-Policy",
  "Strict-Transport-Security",
  "X-Content-Type-Options",
] as const;

/** Headers of answers that have an entity tag and may be compressed. */
export const CACHED_HEADERS = ["ETag", "Vary", "Content-Encoding"] as const;

/** References to header objects. */
export function headersOf(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
