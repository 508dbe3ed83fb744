/**
 * @module Converts between bytes and the requests and replies that mutants see. Mutants see plain
 * requests only.
 */

import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import type { WireAnswer } from "../raw/answers.ts";
import type { ProxiedRequest, Reply } from "./mutant.ts";

/** A complete HTTP/1.1 request without body or with a body of known length. */
export interface PlainRequest extends ProxiedRequest {
  /** The whole request as received. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fields: readonly Field[];
  readonly bodyBytes: Uint8Array<ArrayBuffer>;
}

type Field = readonly [name: string, value: string];
type Headers = ProxiedRequest["headers"];

const LONGEST_HEAD = 65_536;
const LONGEST_BODY = 1_048_576;

const REQUEST_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) (\/[\x21-\x7e]*) HTTP\/1\.1$/;
const FIELD_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)$/;

/** Fields that plain requests do not have. */
const SPECIAL = ["transfer-encoding", "expect", "upgrade", "trailer", "te"];

/** Reads a plain request; any other complete request is `odd`. */
export function readRequest(
  bytes: Uint8Array<ArrayBuffer>,
  memory: ProxiedRequest["memory"],
): PlainRequest | "incomplete" | "odd" {
  const text = Buffer.from(bytes.subarray(0, LONGEST_HEAD)).toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return bytes.length < LONGEST_HEAD ? "incomplete" : "odd";
  const [start = "", ...lines] = text.slice(0, end).split("\r\n");
  const [, method, target] = REQUEST_LINE.exec(start) ?? [];
  const fields = lines.flatMap((line): Field[] => {
    const [, name, value] = FIELD_LINE.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value.trimEnd()]];
  });
  if (method === undefined || target === undefined || fields.length < lines.length) return "odd";
  const named = Map.groupBy(fields, ([name]) => name.toLowerCase());
  const headers = joined(fields);
  const { connection = "keep-alive", "content-length": announced = "0" } = headers;
  // A field that occurs twice is joined by a comma, which neither of the two may have.
  const isPlain = method !== "CONNECT" && named.get("host")?.length === 1 &&
    /^(?:0|[1-9]\d{0,14})$/.test(announced) && connection.toLowerCase() === "keep-alive" &&
    !SPECIAL.some((name) => named.has(name));
  const length = Number(announced);
  if (!isPlain || length > LONGEST_BODY) return "odd";
  const bodyBytes = bytes.slice(end + 4, end + 4 + length);
  if (bodyBytes.length < length) return "incomplete";
  if (bytes.length > end + 4 + length) return "odd"; // pipelined requests
  const path = target.split("?", 1)[0]!;
  const body = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bodyBytes);
  return { bytes, method, target, path, headers, fields, body, bodyBytes, memory };
}

/** The bytes of a request after a mutation. */
export function bytesOfRequest(from: PlainRequest, to: ProxiedRequest): Uint8Array<ArrayBuffer> {
  if (from === to) return from.bytes;
  const isSame = from.body === to.body;
  const body = isSame ? from.bodyBytes : Buffer.from(to.body);
  const headers = isSame ? to.headers : { ...to.headers, "content-length": `${body.length}` };
  const fields = fieldsOf(from.fields, { from: from.headers, to: headers });
  return message(`${to.method} ${to.target} HTTP/1.1`, { fields, body });
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

interface Mutation {
  readonly from: Reply;
  readonly to: Reply;
}

/** The body after a mutation, in the answer's content coding. */
export function bodyOf({ body }: WireAnswer, { from, to }: Mutation): Uint8Array {
  return from.body === to.body ? body : encoded(to.body, to.headers["content-encoding"]);
}

/**
 * The bytes of an answer after a mutation.
 * @param length the Content-Length of a HEAD whose GET is mutated
 */
export function bytesOfAnswer(
  answer: WireAnswer,
  { from, to, method, length }: Mutation & {
    readonly method: string;
    readonly length: number | undefined;
  },
): Uint8Array<ArrayBuffer> {
  const isBodiless = method === "HEAD" || to.status === 204 || to.status === 304;
  const body = isBodiless ? Buffer.from(to.surplus ?? "") : bodyOf(answer, { from, to });
  const { "transfer-encoding": _chunked, ...headers } = to.headers;
  const contentLength = isBodiless ? length : body.length;
  const isOwn = to.headers["content-length"] !== from.headers["content-length"];
  const exact = contentLength === undefined || isOwn
    ? headers
    : { ...headers, "content-length": String(contentLength) };
  const fields = fieldsOf(answer.fields, { from: from.headers, to: exact });
  return message(`HTTP/1.1 ${to.status} `, { fields, body });
}

/** The fields with other values; those that did not change stay as they were received. */
function fieldsOf(
  fields: readonly Field[],
  { from, to }: Readonly<Record<"from" | "to", Headers>>,
): Field[] {
  return [
    ...fields.filter(([name]) => from[name.toLowerCase()] === to[name.toLowerCase()]),
    ...Object.entries(to).filter(([name, value]) => from[name] !== value),
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

function decoded(bytes: Uint8Array, coding: string | undefined): Buffer {
  if (bytes.byteLength === 0) return Buffer.from(bytes);
  if (coding === "br") return zlib.brotliDecompressSync(bytes);
  return coding === "gzip" ? zlib.gunzipSync(bytes) : Buffer.from(bytes);
}

function encoded(text: string, coding: string | undefined): Uint8Array {
  if (coding === "br") return zlib.brotliCompressSync(text);
  return coding === "gzip" ? zlib.gzipSync(text) : Buffer.from(text);
}
