/** @module Hono's environment: the types of `c.env` and `c.var`. */

import type { Context, MiddlewareHandler } from "@hono/hono";
import type { Leads } from "../leads/leads.ts";
import type { Sender } from "../leads/client_limits.ts";
import type { LeadRequest } from "../schemas/lead.ts";

/** The connection, as Deno.serve gives it. */
export interface Connection {
  readonly remoteAddr: Deno.Addr;
}

/** Hono's environment. Each variable is set by the middleware that runs before its readers. */
export interface Env {
  Bindings: Connection;
  Variables: {
    requestId: string;
    /** The intake and the log that counts, loaded with the first lead. */
    intake: Leads["intake"];
    log: Leads["log"];
    /** The client that the request is counted for. */
    sender: Sender;
    /** The parsed body. */
    json: unknown;
    lead: LeadRequest;
  };
}

/** A request on its way through the app. */
export type AppContext = Context<Env>;

/**
 * Answers a request; without a promise where the answer is prebuilt, which is the fast path of Deno.serve.
 */
export type AppHandler = (c: AppContext) => Response | Promise<Response>;

/** Runs before a handler, and may answer in its place. */
export type AppMiddleware = MiddlewareHandler<Env>;
