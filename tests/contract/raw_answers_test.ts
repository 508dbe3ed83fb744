/** @module Answers are parsed as strictly as RFC 9112. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { readAnswers } from "../../contract/raw/answers.ts";

const encode = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const read = (text: string, { methods = ["GET"], ended = false } = {}) =>
  readAnswers(encode(text), { methods, ended });
const bodies = (text: string, options = {}) =>
  read(text, options).answers.map(({ body }) => new TextDecoder().decode(body));

const OK = "HTTP/1.1 200 OK\r\n";
const HEAD = `${OK}content-length: 2\r\n\r\n`;
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;

Deno.test("readAnswers() joins chunks, which this service never sends, and trims fields", () => {
  const chunked = `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n`;
  deepEqual(bodies(chunked + `${HEAD}hi`), ["abc", "hi"]);
  const { answers: [answer] } = read("HTTP/1.0 404 \r\nX:  a  b \r\ncontent-length: 0\r\n\r\n");
  deepEqual(answer?.fields, [["X", "a  b"], ["content-length", "0"]]);
});

Deno.test("readAnswers() waits for an incomplete answer until the connection ends", () => {
  const incomplete = [
    "HTTP/1.1 200 OK",
    `${OK}content-length: 3\r\n`,
    `${OK}content-length: 3\r\n\r\nhi`,
    `${CHUNKED}2\r\nhi\r\n`,
  ];
  for (const text of incomplete) {
    deepEqual(read(text), { answers: [], fault: undefined, isHttp2: false });
    equal(read(text, { ended: true }).fault, "the answer is incomplete", text);
  }
  deepEqual(bodies(`${OK}\r\nto the end`), []);
  deepEqual(bodies(`${OK}\r\nto the end`, { ended: true }), ["to the end"]);
});

Deno.test("readAnswers() names each kind of malformed answer", () => {
  const rows: readonly (readonly [text: string, fault: string])[] = [
    ["HTTP/1.1 20 OK\r\n\r\n", "the status line is malformed"],
    ["HTTP/2 200 OK\r\n\r\n", "the status line is malformed"],
    ["hello\r\n\r\n", "the status line is malformed"],
    ["HTTP/1.1 200 OK\ncontent-length: 0\n\n", "a line ends with a bare LF"],
    [`${OK}a : b\r\n\r\n`, "a header is malformed"],
    [`${OK}a: b\r\n c\r\n\r\n`, "a header is malformed"],
    [`${OK}ab\r\n\r\n`, "a header is malformed"],
    [`${OK}a: b\0c\r\n\r\n`, "CR or NUL within a line"],
    [`${OK}content-length: 1\r\nContent-Length: 1\r\n\r\nx`, "Content-Length is repeated"],
    [`${OK}content-length: +1\r\n\r\nx`, "Content-Length is not a number"],
    [
      `${OK}content-length: 1\r\n${CHUNKED.slice(OK.length)}`,
      "Content-Length beside Transfer-Encoding",
    ],
    [`${OK}transfer-encoding: gzip\r\n\r\n`, "an unknown coding"],
    [`${CHUNKED}x\r\n`, "a chunk's size is malformed"],
    [`${CHUNKED}1\r\nabc\r\n`, "a chunk is longer than its size"],
  ];
  for (const [text, fault] of rows) equal(read(text).fault, fault, text);
  equal(read(`${HEAD}hi\r\n`, { methods: ["HEAD"] }).fault, "the status line is malformed");
  // HTTP/2 begins with a SETTINGS frame.
  equal(read("\0\0\x18\x04\0\0\0\0\0and so on").isHttp2, true);
  equal(read("\0\0\x18\x07\0\0\0\0\0and so on").isHttp2, false);
});
