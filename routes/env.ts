/** @module Hono's environment (`c.env` and `c.var`) and the dependencies of routes. */

import type { Context, MiddlewareHandler } from "@hono/hono";
import type { Config } from "../config/config.ts";
import type { Leads } from "../leads/pipeline.ts";
import type { Log } from "../lib/log.ts";
import type { Assets } from "../site/assets.ts";
import type { Site } from "../site/site.ts";
import type { ApiErrors } from "./api_error.ts";

export interface Connection {
  readonly remoteAddr: Deno.Addr;
}

/** Hono's environment. Each variable is set by the middleware that runs before its readers. */
export interface Env {
  Bindings: Connection;
  Variables: {
    requestId: string;
    /** The intake, and the log with counters, loaded with the first lead. */
    intake: Leads["intake"];
    log: Leads["log"];
    /** The address that the request is counted for. */
    clientKey: string;
  };
}

export type AppContext = Context<Env>;

/** Answers a request, synchronously if the answer is prebuilt: Deno.serve is faster then. */
export type AppHandler = (c: AppContext) => Response | Promise<Response>;

export type AppMiddleware = MiddlewareHandler<Env>;

/** Dependencies of routes; each picks those that it uses. */
export interface RouteDeps {
  readonly config: Config;
  readonly errors: ApiErrors;
  readonly assets: Assets;
  /** Loaded with the first page. */
  readonly site: () => Promise<Site>;
  readonly log: Log;
  /** Aborted when the server stops: a body cut off then is not the client's problem. */
  readonly stopping: AbortSignal;
  now(): number;
}
