/** @module Parses answers from bytes, as strictly as RFC 9112. */

/** One answer, interim ones (1xx) included. */
export interface WireAnswer {
  readonly status: number;
  /** In their original order and case. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array<ArrayBuffer>;
}

export interface Reading {
  readonly answers: readonly WireAnswer[];
  /** The first fault, in one line; the bytes after it are not read. */
  readonly fault: string | undefined;
  /** Whether the server speaks HTTP/2: its preface is a SETTINGS frame (RFC 9113 §3.4). */
  readonly isHttp2: boolean;
}

class Incomplete extends Error {}

class Malformed extends Error {}

const START = "HTTP/1.";
const STATUS_LINE = /^HTTP\/1\.[01] ([1-5]\d\d)(?: [\t\x20-\x7e]*)?$/;
const FIELD_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[\t ]*((?:[\x21-\x7e\x80-\xff][^\r\n\0]*)?)$/;

/**
 * Reads all complete answers.
 *
 * @param methods of the requests, in order: the answer to HEAD has no body
 * @param ended whether the connection has ended, which ends an answer without length (RFC 9112 §6.3)
 */
export function readAnswers(
  bytes: Uint8Array<ArrayBuffer>,
  { methods, ended }: { readonly methods: readonly string[]; readonly ended: boolean },
): Reading {
  const answers: WireAnswer[] = [];
  if (isSettings(bytes)) return { answers, fault: undefined, isHttp2: true };
  let at = 0;
  let final = 0;
  try {
    while (at < bytes.length) {
      const read = readAnswer(bytes.subarray(at), { method: methods[final] ?? "GET", ended });
      answers.push(read.answer);
      at += read.length;
      if (read.answer.status >= 200) final++;
    }
  } catch (error) {
    if (error instanceof Malformed) return { answers, fault: error.message, isHttp2: false };
    if (!(error instanceof Incomplete)) throw error;
    if (ended) return { answers, fault: "the answer is incomplete", isHttp2: false };
  }
  return { answers, fault: undefined, isHttp2: false };
}

function isSettings(bytes: Uint8Array): boolean {
  return bytes.length >= 9 && bytes[3] === 4 && bytes[4] === 0 &&
    bytes.subarray(5, 9).every((byte) => byte === 0);
}

function readAnswer(
  bytes: Uint8Array<ArrayBuffer>,
  { method, ended }: { readonly method: string; readonly ended: boolean },
): { readonly answer: WireAnswer; readonly length: number } {
  const lines: string[] = [];
  let at = 0;
  // Fail early on bytes that cannot become an answer.
  if (bytes.subarray(0, START.length).some((byte, index) => byte !== START.charCodeAt(index))) {
    throw new Malformed("the status line is malformed");
  }
  while (true) {
    const line = lineAt(bytes, at);
    at += line.length + 2;
    if (line === "") break;
    lines.push(line);
  }
  const status = Number(STATUS_LINE.exec(lines[0] ?? "")?.[1]);
  if (!(status >= 100)) throw new Malformed("the status line is malformed");
  const fields = lines.slice(1).map((line) => {
    const [, name, value] = FIELD_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Malformed("a header is malformed");
    return [name, value.trimEnd()] as const;
  });
  const isBodiless = method === "HEAD" || status < 200 || status === 204 || status === 304;
  const { body, length } = bodyAt(bytes.subarray(at), { fields, isBodiless, ended });
  return { answer: { status, fields, body }, length: at + length };
}

function bodyAt(bytes: Uint8Array<ArrayBuffer>, { fields, isBodiless, ended }: {
  readonly fields: WireAnswer["fields"];
  readonly isBodiless: boolean;
  readonly ended: boolean;
}): { readonly body: Uint8Array<ArrayBuffer>; readonly length: number } {
  const valuesOf = (wanted: string) =>
    fields.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  const lengths = valuesOf("content-length");
  const codings = valuesOf("transfer-encoding");
  if (lengths.length > 1) throw new Malformed("Content-Length is repeated");
  if (lengths.some((length) => !/^\d{1,15}$/.test(length))) {
    throw new Malformed("Content-Length is not a number");
  }
  if (lengths.length > 0 && codings.length > 0) {
    throw new Malformed("Content-Length beside Transfer-Encoding");
  }
  if (isBodiless) return { body: new Uint8Array(), length: 0 };
  if (codings.length > 0) {
    if (codings.join().toLowerCase() !== "chunked") throw new Malformed("an unknown coding");
    return chunksAt(bytes);
  }
  if (lengths[0] === undefined) {
    if (!ended) throw new Incomplete();
    return { body: bytes.slice(), length: bytes.length };
  }
  const length = Number(lengths[0]);
  if (bytes.length < length) throw new Incomplete();
  return { body: bytes.slice(0, length), length };
}

/** A chunked body (RFC 9112 §7.1). Extensions and trailers count as malformed. */
function chunksAt(
  bytes: Uint8Array<ArrayBuffer>,
): { readonly body: Uint8Array<ArrayBuffer>; readonly length: number } {
  const body: number[][] = [];
  let at = 0;
  while (true) {
    const line = lineAt(bytes, at);
    if (!/^[0-9A-Fa-f]{1,8}$/.test(line)) throw new Malformed("a chunk's size is malformed");
    const size = parseInt(line, 16);
    at += line.length + 2;
    if (bytes.length < at + size + 2) throw new Incomplete();
    body.push(Array.from(bytes.subarray(at, at + size)));
    at += size;
    if (lineAt(bytes, at) !== "") throw new Malformed("a chunk is longer than its size");
    at += 2;
    if (size === 0) return { body: Uint8Array.from(body.flat()), length: at };
  }
}

/** The line that begins at `at`, as Latin-1, without its CRLF. */
function lineAt(bytes: Uint8Array, at: number): string {
  const end = bytes.indexOf(0x0a, at);
  if (end < 0) throw new Incomplete();
  if (end === at || bytes[end - 1] !== 0x0d) throw new Malformed("a line ends with a bare LF");
  const line = bytes.subarray(at, end - 1);
  if (line.includes(0x0d) || line.includes(0)) throw new Malformed("CR or NUL within a line");
  return Array.from(line, (byte) => String.fromCharCode(byte)).join("");
}
