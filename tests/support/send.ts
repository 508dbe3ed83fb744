/** @module Sends requests to a handler as the server would, without a port. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
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

/** Holds a HEAD to its GET: the same headers, with the length that GET gets from the server. */
export async function assertHeadOf(get: Response, head: Response): Promise<void> {
  const { byteLength } = await get.clone().arrayBuffer();
  strictEqual(head.status, get.status);
  const length = ["content-length", String(byteLength)];
  deepStrictEqual([...head.headers].sort(), [...get.headers, length].sort());
  strictEqual(await head.text(), "");
}
