/** @module Every error code with its status and texts, for answers and the OpenAPI document. */

/** `{site}` in a hint becomes SITE_URL. */
export const ERROR_CODES = {
  bad_host: {
    status: 400,
    message: "The Host header does not name a host.",
    hint: "Set the Host header to the host and port of {site}; see RFC 9112, section 3.2.",
  },
  invalid_json: {
    status: 400,
    message: "The body is not valid JSON in UTF-8.",
    hint: "Send one JSON object as described by LeadRequest in {site}/openapi.json.",
  },
  unsupported_media_type: {
    status: 400,
    message: "The request does not say that its body is JSON.",
    hint: "Send the header Content-Type: application/json; see {site}/openapi.json.",
  },
  body_too_large: {
    status: 400,
    message: "The body is too large.",
    hint: "Send at most 64 KiB, with Content-Length or in 32 chunks; see {site}/openapi.json.",
  },
  body_too_slow: {
    status: 400,
    message: "The body did not arrive in time.",
    hint: "Send the whole body within 10 seconds; see {site}/docs.",
  },
  invalid_lead: {
    status: 400,
    message: "The body is not a valid LeadRequest.",
    hint: "Correct what details.issues lists; the schema is in {site}/openapi.json.",
  },
  not_found: {
    status: 404,
    message: "This host has no such path.",
    hint: "Find all paths in {site}/openapi.json, and the pages in {site}/api/site.",
  },
  method_not_allowed: {
    status: 405,
    message: "This path does not support that method.",
    hint: "Use one of the methods in the Allow header; see {site}/openapi.json.",
  },
  rate_limited: {
    status: 429,
    message: "Too many requests from this address.",
    hint: "Wait as many seconds as the Retry-After header says; the limits are in {site}/docs.",
  },
  internal_error: {
    status: 500,
    message: "Something went wrong on our side.",
    hint: "Try again later. If it keeps happening, tell the operator of {site} the X-Request-Id.",
  },
  lead_not_stored: {
    status: 502,
    message: "We could not confirm that the lead was stored or delivered.",
    hint: "Send the same lead again in a minute: within 24 hours it counts once. See {site}/docs.",
  },
} as const;

/** The stable codes of specification §7's ApiError. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The id of a code's row in the API reference, in every language. */
export function errorAnchor(code: string): string {
  return `error-${code}`;
}

/** The body of an error, as `ApiError` describes it; without `details` if there are none. */
export function errorBody(
  code: ErrorCode,
  { siteUrl, details }: { readonly siteUrl: string; readonly details?: unknown },
): { error: Record<"code" | "message" | "hint" | "docs", string> & { details?: unknown } } {
  const { message, hint } = ERROR_CODES[code];
  const docs = `${siteUrl}/docs/reference#${errorAnchor(code)}`;
  const error = { code, message, hint: hint.replaceAll("{site}", siteUrl), docs };
  return { error: details === undefined ? error : { ...error, details } };
}
