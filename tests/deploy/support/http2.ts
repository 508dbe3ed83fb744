/**
 * @module Requests over HTTP/2 and TLS, and what comes back as it was on the wire: `fetch` would undo
 * the coding and does not tell the version.
 */

import { Buffer } from "node:buffer";
import { type ClientHttp2Session, connect } from "node:http2";

/** An answer, its body as it was sent. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** What is sent. */
export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Runs a test with a connection on which nothing but HTTP/2 is spoken. */
export async function withHttp2(
  { origin, authority }: { readonly origin: string; readonly authority: string },
  test: (send: (request: RawRequest) => Promise<RawAnswer>) => Promise<void>,
): Promise<void> {
  const session = connect(origin, { ca: authority, ALPNProtocols: ["h2"] });
  const closed = new Promise<void>((resolve) => session.once("close", () => resolve()));
  session.on("error", () => {}); // each request tells it
  try {
    await test((request) => send(session, request));
  } finally {
    session.destroy();
    await closed;
  }
}

function send(
  session: ClientHttp2Session,
  { method = "GET", path, headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ":method": method, ":path": path, ...headers });
    const chunks: Buffer[] = [];
    let status = 0;
    let fields: Record<string, string> = {};
    stream.on("response", (all) => {
      status = Number(all[":status"]);
      fields = Object.fromEntries(
        Object.entries(all).filter(([name]) => !name.startsWith(":")).map((
          [name, value],
        ) => [name, String(value)]),
      );
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      if (status === 0) reject(new Error("The stream ended without an answer"));
      else resolve({ status, headers: fields, body: new Uint8Array(Buffer.concat(chunks)) });
    });
    stream.on("error", reject);
    stream.end(body);
  });
}
