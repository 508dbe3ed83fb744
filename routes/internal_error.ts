/**
 * @module The answer to an unexpected error: 500 with nothing of it in the body, and a log line with the
 * same request id.
 */

import type { ErrorHandler } from "@hono/hono";
import { errorName, type Log } from "../leads/log.ts";
import { failureDocument } from "../site/failure.ts";
import { PageFault } from "../site/page_fault.ts";
import { localeOfPath } from "../site/page_path.ts";
import type { ApiErrors } from "./api_error.ts";
import type { Env } from "./env.ts";
import { chooseRepresentation } from "./http/negotiation.ts";
import { pageSecurityHeaders } from "./http/security_headers.ts";

/** What it works with. */
export interface InternalErrorDeps {
  readonly errors: ApiErrors;
  readonly log: Log;
  readonly siteUrl: string;
  /** Whether a path is a page's: then the error is a page too. */
  readonly isPage: (path: string) => boolean;
}

/** Creates the handler. */
export function internalError(
  { errors, log, siteUrl, isPage }: InternalErrorDeps,
): ErrorHandler<Env> {
  return (error, c) => {
    const requestId = logFailure(error, log);
    const { path } = c.req;
    if (!isPage(path) || chooseRepresentation(c) !== "html") {
      return errors.respond("internal_error", { headers: { "x-request-id": requestId } });
    }
    const locale = localeOfPath(path);
    return new Response(failureDocument(locale, requestId), {
      status: 500,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-language": locale,
        "cache-control": "no-store",
        ...pageSecurityHeaders(siteUrl),
        "x-request-id": requestId,
      },
    });
  };
}

/** Logs what was thrown, without its message. @returns the request id for the client */
export function logFailure(thrown: unknown, log: Pick<Log, "error">): string {
  const requestId = crypto.randomUUID();
  log.error("request.failed", {
    requestId,
    reason: errorName(thrown),
    at: placeOf(thrown),
    // Names file and line for the author; any other message may quote a visitor.
    ...(thrown instanceof PageFault ? { fault: thrown.message } : {}),
  });
  return requestId;
}

/** Where an error was thrown: the innermost place in the code, without the message before it. */
function placeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.stack === undefined) return undefined;
  const frames = error.stack.slice(error.stack.indexOf(error.message) + error.message.length);
  return frames.split("\n").find((line) => /^\s+at /.test(line))?.trim();
}
