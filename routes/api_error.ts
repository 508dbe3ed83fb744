/**
 * @module The one place where an error gets its status, body and headers (specification §7).
 *
 * Every answer has the ApiError shape. Nothing of the request is repeated in it, and the unknown is
 * a generic `internal_error`: what went wrong is logged with the request id, never sent.
 */

import type { ApiError } from "../schemas/api_error.ts";
import { prebuildPlain, type Prebuilt } from "./http/prebuilt.ts";
import { apiSecurityHeaders } from "./http/security_headers.ts";

/** A code's status and words. `{site}` in a hint becomes SITE_URL. */
const CATALOGUE = {
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
    hint: "Try again later; quote the X-Request-Id header to whoever runs {site}.",
  },
  lead_not_stored: {
    status: 502,
    message: "The lead could be neither stored nor delivered; nothing of it is held.",
    hint: "Send the same lead again in a minute; see {site}/docs.",
  },
} as const;

/** The stable codes of specification §7's ApiError. */
export type ErrorCode = keyof typeof CATALOGUE;

/** What one occurrence adds to its code. */
export interface ErrorExtras {
  readonly details?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Turns codes into answers. */
export interface ApiErrors {
  /** An answer for this occurrence. */
  respond(code: ErrorCode, extras: ErrorExtras): Response;
  /** An answer that is always the same, built once; hand it out with `answer`. */
  prebuild(code: ErrorCode, headers?: ErrorExtras["headers"]): Prebuilt;
  /** The 405 of a resource, built once, for the value of its Allow. */
  methodNotAllowed(allow: string): Prebuilt;
}

/**
 * Creates what turns codes into answers.
 *
 * @param siteUrl base of every URL in hints and `docs`
 */
export function createApiErrors(siteUrl: string): ApiErrors {
  const common = {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...apiSecurityHeaders(siteUrl),
  };

  const errors = new Map<ErrorCode, ApiError["error"]>();

  /** What does not change from one occurrence to the next. */
  function errorOf(code: ErrorCode): ApiError["error"] {
    const known = errors.get(code);
    if (known !== undefined) return known;
    const { message, hint: template } = CATALOGUE[code];
    const hint = template.replaceAll("{site}", siteUrl);
    const error = { code, message, hint, docs: `${siteUrl}/developers` };
    errors.set(code, error);
    return error;
  }

  function textOf(code: ErrorCode, details?: unknown): string {
    const error = errorOf(code);
    return JSON.stringify(
      { error: details === undefined ? error : { ...error, details } } satisfies ApiError,
    );
  }

  function prebuild(code: ErrorCode, headers?: ErrorExtras["headers"]): Prebuilt {
    return prebuildPlain(textOf(code), CATALOGUE[code].status, { ...common, ...headers });
  }

  return {
    prebuild,
    methodNotAllowed: (allow) => prebuild("method_not_allowed", { allow }),
    respond: (code, { details, headers }) =>
      new Response(textOf(code, details), {
        status: CATALOGUE[code].status,
        headers: { ...common, ...headers },
      }),
  };
}
