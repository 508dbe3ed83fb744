/** @module Every error code with its status and texts, for answers and the OpenAPI document. */

/** `{site}` in a hint becomes SITE_URL. */
export const ERROR_CODES = {
  bad_host: {
    status: 400,
    message: "The Host header does not name a host.",
    hint: "Send the host and port of {site} in the Host header; see RFC 9112, section 3.2.",
  },
  invalid_json: {
    status: 400,
    message: "The body is not JSON in UTF-8.",
    hint: "Send one JSON object as described by LeadRequest in {site}/openapi.json.",
  },
  unsupported_media_type: {
    status: 400,
    message: "The body is not declared as JSON.",
    hint: "Send the header Content-Type: application/json; see {site}/openapi.json.",
  },
  body_too_large: {
    status: 400,
    message: "The body is larger than this service reads.",
    hint: "Send at most 64 KiB; the fields and their limits are in {site}/openapi.json.",
  },
  body_too_slow: {
    status: 400,
    message: "The body did not arrive in time.",
    hint: "Send the whole body within 10 seconds of the request; see {site}/docs.",
  },
  invalid_lead: {
    status: 400,
    message: "The body is not a valid LeadRequest.",
    hint: "Correct what details.issues names; the schema is in {site}/openapi.json.",
  },
  not_found: {
    status: 404,
    message: "There is no such API path.",
    hint: "All paths are in {site}/openapi.json; the site index is {site}/api/site.",
  },
  method_not_allowed: {
    status: 405,
    message: "This path does not answer that method.",
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
    hint: "Try again later; quote the X-Request-Id header to the operator of {site}.",
  },
  lead_not_stored: {
    status: 502,
    message: "Neither storing nor delivering the lead could be confirmed.",
    hint: "Send the same lead again in a minute; see {site}/docs.",
  },
} as const;

/** The stable codes of specification §7's ApiError. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The body of an error, as `ApiError` describes it; without `details` if there are none. */
export function errorBody(
  code: ErrorCode,
  { siteUrl, details }: { readonly siteUrl: string; readonly details?: unknown },
): { error: Record<"code" | "message" | "hint" | "docs", string> & { details?: unknown } } {
  const { message, hint } = ERROR_CODES[code];
  const docs = `${siteUrl}/developers`;
  const error = { code, message, hint: hint.replaceAll("{site}", siteUrl), docs };
  return { error: details === undefined ? error : { ...error, details } };
}
