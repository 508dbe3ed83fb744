/** @module What mutants see, plain requests and replies, from and to bytes, and changes to it. */

import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import { parse } from "yaml";
import { at, namesOf } from "../lib/json.ts";
import type { WireAnswer } from "../tiers/raw/answers.ts";

interface Content {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ProxiedRequest extends Content {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  /** State of the mutant, one for each instance of the service. */
  readonly memory: Map<string, number>;
}

export interface Reply extends Content {
  readonly status: number;
  /** A body for an answer that must not have one. */
  readonly surplus?: string;
  readonly late?: number;
  readonly cut?: number;
}

/** A complete HTTP/1.1 request without body or with a body of known length. */
export interface PlainRequest extends ProxiedRequest {
  readonly bodyBytes: Uint8Array<ArrayBuffer>;
}

const LONGEST_HEAD = 65_536;
const LONGEST_BODY = 1_048_576;

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const LINE = `${TOKEN}:[\\t\\x20-\\x7e\\x80-\\xff]*\\r\\n`;
const HEAD = new RegExp(
  `^(${TOKEN}) (/[\\x21-\\x7e]*) HTTP/1\\.1\\r\\n((?:${LINE})+)\\r\\n`,
);

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
  return { method, target, path, headers, body, bodyBytes, memory };
}

export function bytesOfRequest(from: PlainRequest, to: ProxiedRequest): Uint8Array<ArrayBuffer> {
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
      const coding = body.length === 0 ? undefined : CODINGS[headers["content-encoding"] ?? ""];
      return text ??= (coding?.decode(body) ?? Buffer.from(body)).toString();
    },
  };
}

export function bytesOfAnswer(
  answer: WireAnswer,
  { from, to, method }: { readonly from: Reply; readonly to: Reply; readonly method: string },
): Uint8Array<ArrayBuffer> {
  const isBodiless = method === "HEAD" || to.status === 204 || to.status === 304;
  const body = isBodiless
    ? Buffer.from(to.surplus ?? "")
    : from === to || from.body === to.body
    ? answer.body
    : (CODINGS[to.headers["content-encoding"] ?? ""]?.encode ?? Buffer.from)(to.body);
  const { "transfer-encoding": _chunked, ...headers }: Record<string, string> = to.headers;
  const isOwn = to.headers["content-length"] !== from.headers["content-length"];
  if (!isBodiless && !isOwn) headers["content-length"] = String(body.length);
  return message(`HTTP/1.1 ${to.status} `, { headers, body });
}

function message(
  start: string,
  { headers, body }: { readonly headers: Values; readonly body: Uint8Array },
): Uint8Array<ArrayBuffer> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return new Uint8Array(Buffer.concat([Buffer.from(`${start}\r\n${lines}\r\n`, "latin1"), body]));
}

interface Coding {
  decode(bytes: Uint8Array): Buffer;
  encode(text: string): Uint8Array;
}

const CODINGS: Readonly<Record<string, Coding>> = {
  br: { decode: zlib.brotliDecompressSync, encode: zlib.brotliCompressSync },
  gzip: { decode: zlib.gunzipSync, encode: zlib.gzipSync },
};

/** A text that replaces a value, replacements by expression, or null, which removes the value. */
export type Edit = null | string | Readonly<Record<string, string>>;
type Values = Readonly<Record<string, string>>;

// deno-lint-ignore no-explicit-any -- mutants read and edit it without a schema
export type AnyJson = any;

/** The value of a body, JSON unless it is labelled as YAML; undefined if it has none. */
export function valueOf({ body, headers }: Content): AnyJson {
  try {
    const isYaml = headers["content-type"]?.startsWith("application/yaml");
    return isYaml ? parse(body) ?? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The value after an edit; undefined if it is removed, or absent and not replaced as a whole. */
export function edit(
  value: string | undefined,
  by: Edit,
  request?: ProxiedRequest,
): string | undefined {
  if (by === null) return undefined;
  if (typeof by === "string") return filled(by, request);
  return Object.entries(by).reduce(
    (text, [from, to]) => text?.replace(new RegExp(from, "gsu"), filled(to, request)),
    value,
  );
}

export function edited(
  values: Values,
  edits: Readonly<Record<string, Edit>>,
  request?: ProxiedRequest,
): Values {
  const changed = Object.entries(edits)
    .map(([name, by]) => [name, edit(values[name], by, request)] as const);
  const all = Object.entries({ ...values, ...Object.fromEntries(changed) });
  return Object.fromEntries(all.filter((one): one is [string, string] => one[1] !== undefined));
}

/** The body after an edit, or with other members by JSON Pointer if it has any. */
export function changedBody(
  message: Content,
  { body, json }: { readonly body?: Edit | undefined; readonly json: Record<string, unknown> },
  request: ProxiedRequest,
): string {
  if (body !== undefined) return edit(message.body, body, request) ?? "";
  const value = Object.keys(json).length === 0 ? undefined : valueOf(message);
  if (value === undefined) return message.body;
  for (const [pointer, to] of Object.entries(json)) {
    const end = pointer.lastIndexOf("/");
    const parent: AnyJson = at(value, pointer.slice(0, end));
    const name = namesOf(pointer).at(-1)!;
    if (typeof parent !== "object" || parent === null) continue;
    if (to === null) delete parent[name];
    else if (name === "-") parent.push(to);
    else parent[name] = typeof to === "string" ? filled(to, request) : to;
  }
  return JSON.stringify(value);
}

function filled(text: string, request: ProxiedRequest | undefined): string {
  if (request === undefined || !text.includes("{")) return text;
  const { path, body, headers, memory } = request;
  const members = valueOf(request);
  const times = memory.get("times") ?? 0;
  const known = { ...members, ...headers, path, body, times, uuid: crypto.randomUUID() };
  return text.replace(/\{([\w-]+)\}/g, (all, name) => String(known[name] ?? all));
}
