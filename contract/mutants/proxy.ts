/**
 * @module Stands in front of a service and lets a mutant change what passes. Forwards every method and
 * header as it came, over `node:http`, because fetch refuses some; what a mutant leaves alone goes
 * through byte by byte.
 */

import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as zlib from "node:zlib";
import type { Mutant, Passing, Reply } from "./mutant.ts";

/** A running proxy. */
export interface Proxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** What a mutant does to what passes. */
type Spoiling = Pick<Mutant, "reply" | "request" | "also">;

/** Headers that belong to one connection (RFC 9110 §7.6.1), and what is written anew. */
const NOT_PASSED_BACK = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
]);

/** Starts a proxy in front of a service; without a mutant it changes nothing. */
export async function startProxy(upstream: string, mutant: Spoiling = {}): Promise<Proxy> {
  const target = new URL(upstream);
  const server = createServer((incoming, outgoing) => {
    pass({ incoming, outgoing, target, mutant }).catch(() => outgoing.destroy());
  });
  // A message that never ends is the service's to give up on.
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function pass({ incoming, outgoing, target, mutant }: {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly target: URL;
  readonly mutant: Spoiling;
}): Promise<void> {
  const isSpoilt = Object.keys(mutant).length > 0;
  const isBounded = incoming.headers["content-length"] !== undefined;
  const body = isSpoilt && isBounded ? await bytesOf(incoming) : undefined;
  const passing = passingOf(incoming, body);
  const changed = mutant.request?.(passing) ?? {};
  const sent = changed.body === undefined ? body : Buffer.from(changed.body);
  const answer = await forward({
    target,
    incoming,
    outgoing,
    method: changed.method ?? passing.method,
    path: changed.target ?? passing.target,
    headers: changed.headers ?? {},
    body: sent,
  });
  const raw = await bytesOf(answer);
  const reply: Reply = {
    status: answer.statusCode ?? 502,
    headers: textHeaders(answer),
    body: decoded(raw, answer.headers["content-encoding"]).toString(),
  };
  const spoilt = mutant.reply?.(reply, passing) ?? reply;
  const again = mutant.also?.(reply, passing);
  if (again !== undefined) await postAgain(new URL(passing.target, target), again);
  const bytes = spoilt.body === reply.body
    ? raw
    : encoded(spoilt.body, spoilt.headers["content-encoding"]);
  write(outgoing, { reply: spoilt, bytes, isHead: passing.method === "HEAD" });
}

function forward({ target, incoming, outgoing, method, path, headers, body }: {
  readonly target: URL;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array | undefined;
}): Promise<IncomingMessage> {
  const all: Record<string, string | string[] | undefined> = { ...incoming.headers, ...headers };
  if (body !== undefined) all["content-length"] = String(body.byteLength);
  const present = Object.entries(all).filter(([, value]) => value !== undefined);
  return new Promise((resolve, reject) => {
    const onward = request({
      host: target.hostname,
      port: target.port,
      method,
      path,
      headers: Object.fromEntries(present) as Record<string, string | string[]>,
      setHost: false,
    }, resolve);
    onward.on("error", reject);
    outgoing.on("close", () => onward.destroy());
    if (body === undefined) incoming.pipe(onward);
    else onward.end(body);
  });
}

function passingOf(incoming: IncomingMessage, body: Uint8Array | undefined): Passing {
  const { method = "GET", url = "/" } = incoming;
  return {
    method,
    target: url,
    path: url.split("?", 1)[0] ?? url,
    headers: textHeaders(incoming),
    body: body === undefined ? "" : new TextDecoder().decode(body),
  };
}

function textHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function write(outgoing: ServerResponse, { reply, bytes, isHead }: {
  readonly reply: Reply;
  readonly bytes: Uint8Array;
  readonly isHead: boolean;
}): void {
  const { status, headers } = reply;
  const kept = Object.entries(headers).filter(([name]) => !NOT_PASSED_BACK.has(name));
  const isBodiless = isHead || status === 204 || status === 304;
  // Without a body, the length is the service's word on what there would be.
  const length = isBodiless ? headers["content-length"] : String(bytes.byteLength);
  outgoing.writeHead(status, {
    ...Object.fromEntries(kept),
    ...(length === undefined ? {} : { "content-length": length }),
  });
  outgoing.end(isBodiless ? undefined : bytes);
}

async function postAgain(url: URL, body: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  await response.body?.cancel();
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function decoded(bytes: Buffer, coding: string | undefined): Buffer {
  if (bytes.byteLength === 0) return bytes;
  if (coding === "br") return zlib.brotliDecompressSync(bytes);
  return coding === "gzip" ? zlib.gunzipSync(bytes) : bytes;
}

function encoded(text: string, coding: string | undefined): Uint8Array {
  if (coding === "br") return zlib.brotliCompressSync(text);
  return coding === "gzip" ? zlib.gzipSync(text) : Buffer.from(text);
}
