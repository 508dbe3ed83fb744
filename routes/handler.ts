/**
 * @module The handler for `Deno.serve`, with two things that Hono cannot do: the check of Host before the
 * app reads the URL, and an answer when a value is thrown that is not an Error.
 */

import type { Hono } from "@hono/hono";
import type { Log } from "../leads/log.ts";
import type { ApiErrors } from "./api_error.ts";
import type { Connection, Env } from "./env.ts";
import { isValidHost } from "./http/host.ts";
import { logFailure } from "./internal_error.ts";

/** Creates the handler for `Deno.serve`. It never rejects. */
export function createHandler(
  app: Hono<Env>,
  { errors, log }: { readonly errors: ApiErrors; readonly log: Log },
): (request: Request, connection: Connection) => Response | Promise<Response> {
  function fail(thrown: unknown): Response {
    const headers = { "x-request-id": logFailure(thrown, log) };
    return errors.respond("internal_error", { headers });
  }

  return (request, connection) => {
    if (!isValidHost(request.headers.get("host"))) return errors.respond("bad_host", {});
    try {
      const response = app.fetch(request, connection);
      return response instanceof Promise ? response.catch(fail) : response;
    } catch (thrown) {
      return fail(thrown);
    }
  };
}
