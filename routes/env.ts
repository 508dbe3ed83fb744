/** @module What Hono's context holds in this service, beside the request. */

import type { Context, MiddlewareHandler } from "@hono/hono";
import type { Leads } from "../leads/leads.ts";
import type { Sender } from "../leads/client_limits.ts";
import type { LeadRequest } from "../schemas/lead.ts";

/** What the server tells of the connection. */
export interface Connection {
  readonly remoteAddr: Deno.Addr;
}

/** Hono's environment. Variables are there from the middleware on that sets them. */
export interface Env {
  Bindings: Connection;
  Variables: {
    requestId: string;
    /** The intake and the log that counts, loaded with the first lead. */
    intake: Leads["intake"];
    log: Leads["log"];
    /** By whom a request is counted. */
    sender: Sender;
    /** The parsed body. */
    json: unknown;
    lead: LeadRequest;
  };
}

/** A request on its way through the app. */
export type AppContext = Context<Env>;

/**
 * Answers a request. One that has its answer at hand gives it without a promise, which the server
 * hands on at once.
 */
export type AppHandler = (c: AppContext) => Response | Promise<Response>;

/** Runs before a handler, and may answer in its place. */
export type AppMiddleware = MiddlewareHandler<Env>;
