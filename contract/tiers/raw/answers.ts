/** @module Parses answers from bytes, as strictly as RFC 9112. */

import { Buffer } from "node:buffer";
import type { Answer } from "../../lib/exchange.ts";
import type { Socket } from "../../lib/socket.ts";

/** One answer, interim ones (1xx) included. */
export interface WireAnswer extends Omit<Answer, "ms"> {
  /** The headers in their original order and case. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

export interface Reading {
  readonly answers: readonly WireAnswer[];
  /** The first problem, in one line; the bytes after it are not read. */
  readonly problem: string | undefined;
}

const INCOMPLETE = "the answer is incomplete";

const START = "HTTP/1.";
const STATUS_LINE = /^HTTP\/1\.[01] ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const FIELD_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[\t ]*((?:[\x21-\x7e\x80-\xff][^\r\n\0]*)?)$/;

interface Cursor {
  readonly text: string;
  at: number;
  readonly ended: boolean;
}

/** @param socket whose end ends an answer without length (RFC 9112 §6.3) @param methods in order */
export function readAnswers(
  socket: Pick<Socket, "bytes" | "ended">,
  methods: readonly string[],
): Reading {
  const answers: WireAnswer[] = [];
  const ended = socket.ended;
  const cursor = { text: Buffer.from(socket.bytes).toString("latin1"), at: 0, ended };
  let problem: string | undefined;
  let final = 0;
  try {
    while (cursor.at < cursor.text.length) {
      const answer = readAnswer(cursor, methods[final]);
      answers.push(answer);
      if (answer.status >= 200) final++;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (ended || error.message !== INCOMPLETE) problem = error.message;
  }
  return { answers, problem };
}

function readAnswer(cursor: Cursor, method: string | undefined): WireAnswer {
  // Fail early on bytes that cannot become an answer.
  if (!START.startsWith(cursor.text.slice(cursor.at, cursor.at + START.length))) {
    throw new SyntaxError("the status line is malformed");
  }
  const [start = "", ...lines] = linesOf(cursor);
  const status = Number(STATUS_LINE.exec(start)?.[1]);
  if (!(status >= 100)) throw new SyntaxError("the status line is malformed");
  const fields = lines.map((line) => {
    const [, name, value] = FIELD_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new SyntaxError("a header is malformed");
    return [name, value.trimEnd()] as const;
  });
  const headers = new Headers(fields.map(([name, value]) => [name, value]));
  const [length, coding] = ["content-length", "transfer-encoding"]
    .map((name) => headers.get(name) ?? undefined);
  if (length?.includes(",")) throw new SyntaxError("Content-Length is repeated");
  if (!/^\d{1,15}$/.test(length ?? "0")) throw new SyntaxError("Content-Length is not a number");
  if (length !== undefined && coding !== undefined) {
    throw new SyntaxError("Content-Length beside Transfer-Encoding");
  }
  function bodyText(): string {
    if (method === "HEAD" || status < 200 || status === 204 || status === 304) return "";
    if (coding?.toLowerCase() === "chunked") return chunksOf(cursor);
    if (coding !== undefined) throw new SyntaxError("an unknown coding");
    if (length === undefined && !cursor.ended) throw new SyntaxError(INCOMPLETE);
    return taken(cursor, Number(length ?? cursor.text.length - cursor.at));
  }
  const body = new Uint8Array(Buffer.from(bodyText(), "latin1"));
  return { status, headers, fields, body, text: new TextDecoder().decode(body) };
}

/** A chunked body (RFC 9112 §7.1); extensions and trailers are ignored. */
function chunksOf(cursor: Cursor): string {
  let body = "";
  while (true) {
    const [, digits] = /^([0-9A-Fa-f]{1,8})[\t ]*(?:;.*)?$/.exec(lineOf(cursor)) ?? [];
    if (digits === undefined) throw new SyntaxError("a chunk's size is malformed");
    const size = parseInt(digits, 16);
    if (size === 0) break;
    body += taken(cursor, size);
    if (lineOf(cursor) !== "") throw new SyntaxError("a chunk is longer than its size");
  }
  linesOf(cursor);
  return body;
}

function taken(cursor: Cursor, length: number): string {
  const { text, at } = cursor;
  if (text.length < at + length) throw new SyntaxError(INCOMPLETE);
  return text.slice(at, cursor.at += length);
}

function linesOf(cursor: Cursor): string[] {
  const lines: string[] = [];
  for (let line = lineOf(cursor); line !== ""; line = lineOf(cursor)) lines.push(line);
  return lines;
}

function lineOf(cursor: Cursor): string {
  const end = cursor.text.indexOf("\n", cursor.at);
  if (end < 0) throw new SyntaxError(INCOMPLETE);
  const line = taken(cursor, end - cursor.at + 1);
  if (!line.endsWith("\r\n")) throw new SyntaxError("a line ends with a bare LF");
  if (/\r(?!\n$)|\0/.test(line)) throw new SyntaxError("CR or NUL within a line");
  return line.slice(0, -2);
}
