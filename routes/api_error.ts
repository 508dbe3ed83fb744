/**
 * @module The only place that gives an error its status, body and headers (specification §7).
 *
 * An answer never repeats the request. An unexpected error is a generic `internal_error`: its cause is
 * logged under the request id, never sent.
 */

import type { ApiError } from "../schemas/api_error.ts";
import { ERROR_CODES, errorBody, type ErrorCode } from "../schemas/error_codes.ts";
import { prebuildPlain, type Prebuilt } from "./http/prebuilt.ts";
import { uncachedJson } from "./http/public_document.ts";

interface Extras {
  readonly details?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export class ApiErrors {
  /** @param siteUrl base of every URL in hints and `docs` */
  constructor(readonly siteUrl: string) {}

  /** An answer that never changes, built once. */
  prebuild(code: ErrorCode, headers = {}): Prebuilt {
    return prebuildPlain(...this.#parts(code, { headers }));
  }

  respond(code: ErrorCode, extras: Extras): Response {
    return new Response(...this.#parts(code, extras));
  }

  #parts(code: ErrorCode, { details, headers }: Extras): Parameters<typeof prebuildPlain> {
    const { siteUrl } = this;
    const body = errorBody(code, { siteUrl, details }) satisfies ApiError;
    const { status } = ERROR_CODES[code];
    return [JSON.stringify(body), { status, headers: { ...uncachedJson(siteUrl), ...headers } }];
  }
}
