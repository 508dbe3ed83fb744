/** @module Sends requests to a handler as the server would, without a port. */

import { pathOf } from "../../routes/http/request_path.ts";
import type { Connection, Handler } from "../../routes/http/resource.ts";

const SITE_URL = "https://www.example.com";

/** A connection from an address of RFC 5737. */
export function connectionFrom(hostname = "192.0.2.1"): Connection {
  return { remoteAddr: { transport: "tcp", hostname, port: 40_000 } };
}

/** Sends to a single handler; `path` may have a query. */
export async function send(
  handler: Handler,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const request = new Request(SITE_URL + path, init);
  return await handler(request, { path: pathOf(request.url), connection: connectionFrom() });
}
