/**
 * @module The only place that gives an error its status, body and headers (specification §7).
 *
 * An answer never repeats the request. An unexpected error is a generic `internal_error`: its cause is
 * logged under the request id, never sent.
 */

import type { ApiError } from "../schemas/api_error.ts";
import { ERROR_CODES, errorBody, type ErrorCode } from "../schemas/error_codes.ts";
import { prebuildPlain, type Prebuilt } from "./http/prebuilt.ts";
import { apiSecurityHeaders } from "./http/security_headers.ts";

type Fields = Readonly<Record<string, string>>;

export interface ApiErrors {
  respond(code: ErrorCode, extras: { details?: unknown; headers?: Fields }): Response;
  /** An answer that never changes, built once. */
  prebuild(code: ErrorCode, headers?: Fields): Prebuilt;
}

/**
 * Creates the functions that turn error codes into answers.
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

  return {
    prebuild: (code, headers) =>
      prebuildPlain(textOf(code), ERROR_CODES[code].status, { ...common, ...headers }),
    respond: (code, { details, headers }) =>
      new Response(textOf(code, details), {
        status: ERROR_CODES[code].status,
        headers: { ...common, ...headers },
      }),
  };
}
