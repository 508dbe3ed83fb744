/** @module The answer to an unexpected error: 500 without details, logged with the same request id. */

import type { ErrorHandler } from "@hono/hono";
import { safeReason } from "../lib/log.ts";
import { PageError } from "../site/source_problem.ts";
import { localeOfPath } from "../site/urls.ts";
import type { Env, RouteDeps } from "./env.ts";
import { chooseRepresentation } from "./http/negotiation.ts";
import { uncachedPage } from "./http/security_headers.ts";

/** The errors of paths that satisfy `isPage` are pages as well. */
export function internalError(
  { errors, log, config: { siteUrl } }: Pick<RouteDeps, "errors" | "log" | "config">,
  isPage: (path: string) => boolean,
): ErrorHandler<Env> {
  return async (error, c) => {
    const requestId = crypto.randomUUID();
    log.error("request.failed", {
      requestId,
      reason: safeReason(error),
      at: placeOf(error),
      // It names file and line for the author; any other message may quote a visitor.
      ...(error instanceof PageError ? { problem: error.message } : {}),
    });
    const { path } = c.req;
    if (!isPage(path) || chooseRepresentation(c, ["markdown", "json"]) !== "html") {
      return errors.respond("internal_error", { headers: { "x-request-id": requestId } });
    }
    const locale = localeOfPath(path);
    const { failureDocument } = await import("../site/failure.ts");
    return new Response(failureDocument(locale, requestId), {
      status: 500,
      headers: { ...uncachedPage(siteUrl, locale), "x-request-id": requestId },
    });
  };
}

/** The innermost stack frame of an error; the message, which comes before it, is skipped. */
function placeOf({ stack = "", message }: Error): string | undefined {
  const frames = stack.slice(stack.indexOf(message) + message.length);
  return frames.split("\n").find((line) => /^\s+at /.test(line))?.trim();
}
