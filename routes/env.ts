/** @module Hono's environment (`c.env` and `c.var`) and the dependencies of routes. */

import type { Context } from "@hono/hono";
import type { Config } from "../config/config.ts";
import type { Leads } from "../leads/pipeline.ts";
import type { Log } from "../lib/log.ts";
import type { Assets } from "../site/assets.ts";
import type { Site } from "../site/site.ts";
import type { ApiErrors } from "./api_error.ts";

export interface Connection {
  readonly remoteAddr: Deno.Addr;
}

/** One that sends a lead. */
export interface Attempt {
  readonly intake: Leads["intake"];
  /** With counters. */
  readonly log: Leads["log"];
  /** The address that the request is counted for. */
  readonly clientKey: string;
  /** Whether the attempt limit allows it. */
  readonly isAdmitted: boolean;
  readonly requestId: string;
}

/** Hono's environment. */
export interface Env {
  Bindings: Connection;
  /** Set by `countAttempt`. */
  Variables: { attempt: Attempt };
}

export type AppContext = Context<Env>;

/** Answers a request, synchronously if the answer is prebuilt: Deno.serve is faster then. */
export type AppHandler = (c: AppContext) => Response | Promise<Response>;

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
