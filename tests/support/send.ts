/** @module Sends requests to a handler without a port. */

import { Hono } from "@hono/hono";
import type { AppHandler, Connection, Env } from "../../routes/env.ts";

export function connectionFrom(hostname = "192.0.2.1"): Connection {
  return { remoteAddr: { transport: "tcp", hostname, port: 40_000 } };
}

/** Synchronous if the handler is. */
export function send(handler: AppHandler, init: RequestInit = {}): Response | Promise<Response> {
  return new Hono<Env>().all("/", handler).request("/", init, connectionFrom());
}
