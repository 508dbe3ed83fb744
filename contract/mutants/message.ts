/**
 * @module Converts between bytes and the requests and replies that mutants see. Mutants see plain
 * requests only.
 */

import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import type { WireAnswer } from "../raw/answers.ts";

/** A request on its way to the service. */
export interface ProxiedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** State of the mutant, one for each instance of the service. */
  readonly memory: Map<string, number>;
}

/** An answer on its way to the client. */
export interface Reply extends Pick<ProxiedRequest, "headers" | "body"> {
  readonly status: number;
  /** A body for an answer that must not have one. */
  readonly surplus?: string;
  /** Delay in milliseconds. */
  readonly late?: number;
  /** Closes the connection after this many bytes. */
  readonly cut?: number;
}

/** A complete HTTP/1.1 request without body or with a body of known length. */
export interface PlainRequest extends ProxiedRequest {
  /** The whole request as received. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly bodyBytes: Uint8Array<ArrayBuffer>;
}

const LONGEST_HEAD = 65_536;
const LONGEST_BODY = 1_048_576;

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const LINE = `${TOKEN}:[\\t\\x20-\\x7e\\x80-\\xff]*\\r\\n`;
const HEAD = new RegExp(
  `^(${TOKEN}) (/[\\x21-\\x7e]*) HTTP/1\\.1\\r\\n((?:${LINE})+)\\r\\n`,
);

/** Fields that plain requests do not have. */
const SPECIAL = ["transfer-encoding", "expect", "upgrade", "trailer", "te"];

/** Reads a plain request; any other complete request is `odd`. */
export function readRequest(
  bytes: Uint8Array<ArrayBuffer>,
  memory: ProxiedRequest["memory"],
): PlainRequest | "incomplete" | "odd" {
  const text = Buffer.from(bytes.subarray(0, LONGEST_HEAD)).toString("latin1");
  const [head, method = "", target = "", lines = ""] = HEAD.exec(text) ?? [];
  if (head === undefined) {
    const isWhole = text.includes("\r\n\r\n") || text.length === LONGEST_HEAD;
    return isWhole ? "odd" : "incomplete";
  }
  const fields = lines.trimEnd().split("\r\n").map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1)];
  });
  const headers = Object.fromEntries(new Headers(fields)); // of the same name: joined by commas
  const { connection = "keep-alive", "content-length": announced = "0" } = headers;
  // A field that occurs twice is joined by a comma, which none of these may have.
  const isPlain = method !== "CONNECT" && /^[^,]*$/.test(headers["host"] ?? ",") &&
    /^(?:0|[1-9]\d{0,14})$/.test(announced) && connection.toLowerCase() === "keep-alive" &&
    !SPECIAL.some((name) => name in headers);
  const length = Number(announced);
  if (!isPlain || length > LONGEST_BODY) return "odd";
  const bodyBytes = bytes.slice(head.length, head.length + length);
  if (bodyBytes.length < length) return "incomplete";
  if (bytes.length > head.length + length) return "odd"; // pipelined requests
  const path = target.split("?", 1)[0]!;
  const body = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bodyBytes);
  return { bytes, method, target, path, headers, body, bodyBytes, memory };
}

/** The bytes of a request after a mutation. */
export function bytesOfRequest(from: PlainRequest, to: ProxiedRequest): Uint8Array<ArrayBuffer> {
  if (from === to) return from.bytes;
  const start = `${to.method} ${to.target} HTTP/1.1`;
  if (from.body === to.body) return message(start, { headers: to.headers, body: from.bodyBytes });
  const body = Buffer.from(to.body);
  return message(start, { headers: { ...to.headers, "content-length": `${body.length}` }, body });
}

/** An answer as mutants see it: header names in lower case, the body as text. */
export function replyOf({ status, headers: fields, body }: WireAnswer): Reply {
  const headers = Object.fromEntries(fields);
  let text: string | undefined;
  return {
    status,
    headers,
    /** Decoded on demand, because most mutants leave most bodies alone. */
    get body() {
      return text ??= decoded(body, headers["content-encoding"]).toString();
    },
  };
}

/** The bytes of an answer after a mutation. */
export function bytesOfAnswer(
  answer: WireAnswer,
  { from, to, method }: { readonly from: Reply; readonly to: Reply; readonly method: string },
): Uint8Array<ArrayBuffer> {
  const isBodiless = method === "HEAD" || to.status === 204 || to.status === 304;
  const body = isBodiless
    ? Buffer.from(to.surplus ?? "")
    : from.body === to.body
    ? answer.body
    : encoded(to.body, to.headers["content-encoding"]);
  const { "transfer-encoding": _chunked, ...headers }: Record<string, string> = to.headers;
  const isOwn = to.headers["content-length"] !== from.headers["content-length"];
  if (!isBodiless && !isOwn) headers["content-length"] = String(body.length);
  return message(`HTTP/1.1 ${to.status} `, { headers, body });
}

function message(
  start: string,
  { headers, body }: Pick<ProxiedRequest, "headers"> & { readonly body: Uint8Array },
): Uint8Array<ArrayBuffer> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return new Uint8Array(Buffer.concat([Buffer.from(`${start}\r\n${lines}\r\n`, "latin1"), body]));
}

function decoded(bytes: Uint8Array, coding: string | undefined): Buffer {
  if (bytes.byteLength === 0) return Buffer.from(bytes);
  if (coding === "br") return zlib.brotliDecompressSync(bytes);
  return coding === "gzip" ? zlib.gunzipSync(bytes) : Buffer.from(bytes);
}

function encoded(text: string, coding: string | undefined): Uint8Array {
  if (coding === "br") return zlib.brotliCompressSync(text);
  return coding === "gzip" ? zlib.gzipSync(text) : Buffer.from(text);
}
