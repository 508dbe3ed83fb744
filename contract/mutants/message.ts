/**
 * @module Converts between bytes and the requests and replies that mutants see. Mutants see plain
 * requests only.
 */

import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import type { WireAnswer } from "../raw/answers.ts";
import type { Change, ProxiedRequest, Reply } from "./mutant.ts";

/** A complete HTTP/1.1 request without body or with a body of known length. */
export interface PlainRequest extends Omit<ProxiedRequest, "memory"> {
  /** The whole request as received. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fields: readonly Field[];
  readonly bodyBytes: Uint8Array<ArrayBuffer>;
}

type Field = readonly [name: string, value: string];

const LONGEST_HEAD = 65_536;
const LONGEST_BODY = 1_048_576;

const REQUEST_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) (\/[\x21-\x7e]*) HTTP\/1\.1$/;
const FIELD_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)$/;

/** Fields that plain requests do not have. */
const SPECIAL = new Set(["transfer-encoding", "expect", "upgrade", "trailer", "te"]);

/** Reads a plain request; any other complete request is `odd`. */
export function readRequest(
  bytes: Uint8Array<ArrayBuffer>,
): PlainRequest | "incomplete" | "odd" {
  const text = latin1(bytes.subarray(0, LONGEST_HEAD));
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return bytes.length < LONGEST_HEAD ? "incomplete" : "odd";
  const [start = "", ...lines] = text.slice(0, end).split("\r\n");
  const [, method, target] = REQUEST_LINE.exec(start) ?? [];
  const fields = lines.flatMap((line): Field[] => {
    const [, name, value] = FIELD_LINE.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value.trimEnd()]];
  });
  if (method === undefined || target === undefined || fields.length < lines.length) return "odd";
  const valuesOf = (wanted: string) =>
    fields.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  const lengths = valuesOf("content-length");
  const isPlain = method !== "CONNECT" && valuesOf("host").length === 1 &&
    lengths.length <= 1 && lengths.every((length) => /^(?:0|[1-9]\d{0,14})$/.test(length)) &&
    valuesOf("connection").every((value) => value.toLowerCase() === "keep-alive") &&
    !fields.some(([name]) => SPECIAL.has(name.toLowerCase()));
  const length = Number(lengths[0] ?? 0);
  if (!isPlain || length > LONGEST_BODY) return "odd";
  const bodyBytes = bytes.slice(end + 4, end + 4 + length);
  if (bodyBytes.length < length) return "incomplete";
  if (bytes.length > end + 4 + length) return "odd"; // pipelined requests
  return {
    bytes,
    method,
    target,
    path: target.split("?", 1)[0]!,
    headers: joined(fields),
    fields,
    body: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bodyBytes),
    bodyBytes,
  };
}

/** The request with a mutant's changes; without changes, the bytes as received. */
export function changedRequest(request: PlainRequest, change: Change): Uint8Array<ArrayBuffer> {
  if (Object.keys(change).length === 0) return request.bytes;
  const body = change.body === undefined ? request.bodyBytes : bytesOf(change.body);
  const length = change.body === undefined ? {} : { "content-length": String(body.length) };
  const fields = changedFields(request.fields, { ...change.headers, ...length });
  const start = `${change.method ?? request.method} ${change.target ?? request.target} HTTP/1.1`;
  return message(start, { fields, body });
}

/** A POST of JSON that closes its connection. */
export function postOf(
  target: string,
  { host, body }: Record<"host" | "body", string>,
): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(body);
  return message(`POST ${target} HTTP/1.1`, {
    fields: [
      ["Host", host],
      ["Content-Type", "application/json"],
      ["Content-Length", String(bytes.length)],
      ["Connection", "close"],
    ],
    body: bytes,
  });
}

/** An answer as mutants see it: header names in lower case, the body as text. */
export function replyOf({ status, fields, body }: WireAnswer): Reply {
  const headers = joined(fields);
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

/** The body after a mutation, in the answer's content coding. */
export function bodyOf(
  { body }: WireAnswer,
  { from, to }: { readonly from: Reply; readonly to: Reply },
): Uint8Array {
  return from.body === to.body ? body : encoded(to.body, to.headers["content-encoding"]);
}

/**
 * The bytes of an answer after a mutation.
 * @param length the Content-Length of a HEAD whose GET is mutated
 */
export function changedAnswer(
  answer: WireAnswer,
  { from, to, method, length }: {
    readonly from: Reply;
    readonly to: Reply;
    readonly method: string;
    readonly length: number | undefined;
  },
): Uint8Array<ArrayBuffer> {
  const isBodiless = method === "HEAD" || to.status === 204 || to.status === 304;
  const body = isBodiless ? bytesOf(to.surplus ?? "") : bodyOf(answer, { from, to });
  const changes: Record<string, string | undefined> = { "transfer-encoding": undefined };
  const contentLength = isBodiless ? length : body.length;
  if (contentLength !== undefined) changes["content-length"] = String(contentLength);
  for (const name of new Set([...Object.keys(from.headers), ...Object.keys(to.headers)])) {
    if (from.headers[name] !== to.headers[name]) changes[name] = to.headers[name];
  }
  const fields = changedFields(answer.fields, changes);
  return message(`HTTP/1.1 ${to.status} `, { fields, body });
}

/** Replaces fields; undefined removes one. */
function changedFields(
  fields: readonly Field[],
  changes: Readonly<Record<string, string | undefined>>,
): Field[] {
  return [
    ...fields.filter(([name]) => !(name.toLowerCase() in changes)),
    ...Object.entries(changes).flatMap(([name, value]): Field[] =>
      value === undefined ? [] : [[name, value]]
    ),
  ];
}

function message(
  start: string,
  { fields, body }: { readonly fields: readonly Field[]; readonly body: Uint8Array },
): Uint8Array<ArrayBuffer> {
  const head = [start, ...fields.map((field) => field.join(": "))].join("\r\n");
  return new Uint8Array(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, "latin1"), body]));
}

/** Joins fields of the same name by commas (RFC 9110 §5.3). */
function joined(fields: readonly Field[]): Record<string, string> {
  const groups = Map.groupBy(fields, ([name]) => name.toLowerCase());
  return Object.fromEntries(
    [...groups].map(([name, same]) => [name, same.map(([, value]) => value).join(", ")]),
  );
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
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
