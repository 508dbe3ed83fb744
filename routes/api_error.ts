/**
 * @module The one place where an error gets its status, body and headers (specification §7).
 *
 * Every answer has the ApiError shape. Nothing of the request is repeated in it, and the unknown is
 * a generic `internal_error`: what went wrong is logged with the request id, never sent.
 */

import type { ApiError } from "../schemas/api_error.ts";
import { ERROR_CODES, errorBody, type ErrorCode } from "../schemas/error_codes.ts";
import { prebuildPlain, type Prebuilt } from "./http/prebuilt.ts";
import { apiSecurityHeaders } from "./http/security_headers.ts";

/** What one occurrence adds to its code. */
export interface ErrorExtras {
  readonly details?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Turns codes into answers. */
export interface ApiErrors {
  /** An answer for this occurrence. */
  respond(code: ErrorCode, extras: ErrorExtras): Response;
  /** An answer that never changes, built once; send it with `respond`. */
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

  function textOf(code: ErrorCode, details?: unknown): string {
    return JSON.stringify(errorBody(code, { siteUrl, details }) satisfies ApiError);
  }

  function prebuild(code: ErrorCode, headers?: ErrorExtras["headers"]): Prebuilt {
    return prebuildPlain(textOf(code), ERROR_CODES[code].status, { ...common, ...headers });
  }

  return {
    prebuild,
    methodNotAllowed: (allow) => prebuild("method_not_allowed", { allow }),
    respond: (code, { details, headers }) =>
      new Response(textOf(code, details), {
        status: ERROR_CODES[code].status,
        headers: { ...common, ...headers },
      }),
  };
}
