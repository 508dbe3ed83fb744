/** @module Responses are read as strictly as RFC 9112. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { readAnswers } from "../../contract/raw/answers.ts";

const encode = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const read = (text: string, { methods = ["GET"], ended = false } = {}) =>
  readAnswers(encode(text), { methods, ended });
const bodies = (text: string, options = {}) =>
  read(text, options).answers.map(({ body }) => new TextDecoder().decode(body));

Deno.test("responses are separated by lengths, chunks, methods and statuses", () => {
  const sized = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";
  const chunked =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n";
  deepEqual(bodies(sized), ["hi"]);
  deepEqual(bodies(chunked), ["abc"]);
  deepEqual(bodies(sized + chunked + sized, { methods: ["GET", "GET", "GET"] }), [
    "hi",
    "abc",
    "hi",
  ]);
  const head = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n";
  deepEqual(bodies(head + sized, { methods: ["HEAD", "GET"] }), ["", "hi"]);
  deepEqual(bodies(`HTTP/1.1 304 Not Modified\r\netag: "x"\r\n\r\n${sized}`), ["", "hi"]);
  deepEqual(bodies(`HTTP/1.1 100 Continue\r\n\r\n${head}${sized}`, { methods: ["HEAD", "GET"] }), [
    "",
    "",
    "hi",
  ]);
  deepEqual(read("HTTP/1.0 404 \r\nX:  a  b \r\ncontent-length: 0\r\n\r\n").answers[0]?.fields, [
    ["X", "a  b"],
    ["content-length", "0"],
  ]);
});

Deno.test("an incomplete response is awaited, and a fault once the connection has ended", () => {
  for (
    const text of [
      "HTTP/1.1 200 OK",
      "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n",
      "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nhi",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n",
    ]
  ) {
    deepEqual(read(text), { answers: [], fault: undefined, isHttp2: false });
    equal(read(text, { ended: true }).fault, "the answer is incomplete", text);
  }
  const unsized = "HTTP/1.1 200 OK\r\n\r\nto the end";
  deepEqual(bodies(unsized), []);
  deepEqual(bodies(unsized, { ended: true }), ["to the end"]);
});

Deno.test("each kind of malformed response is a fault of its own", () => {
  const rows: readonly (readonly [text: string, fault: string])[] = [
    ["HTTP/1.1 20 OK\r\n\r\n", "the status line is malformed"],
    ["HTTP/2 200 OK\r\n\r\n", "the status line is malformed"],
    ["hello\r\n\r\n", "the status line is malformed"],
    ["HTTP/1.1 200 OK\ncontent-length: 0\n\n", "a line ends with a bare LF"],
    ["HTTP/1.1 200 OK\r\na : b\r\n\r\n", "a header is malformed"],
    ["HTTP/1.1 200 OK\r\na: b\r\n c\r\n\r\n", "a header is malformed"],
    ["HTTP/1.1 200 OK\r\nab\r\n\r\n", "a header is malformed"],
    ["HTTP/1.1 200 OK\r\na: b\0c\r\n\r\n", "CR or NUL within a line"],
    [
      "HTTP/1.1 200 OK\r\ncontent-length: 1\r\nContent-Length: 1\r\n\r\nx",
      "Content-Length is repeated",
    ],
    ["HTTP/1.1 200 OK\r\ncontent-length: +1\r\n\r\nx", "Content-Length is not a number"],
    [
      "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      "Content-Length beside Transfer-Encoding",
    ],
    ["HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n", "an unknown coding"],
    ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n", "a chunk's size is malformed"],
    [
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n",
      "a chunk is longer than its size",
    ],
  ];
  for (const [text, fault] of rows) equal(read(text).fault, fault, text);
  const head = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi\r\n";
  equal(read(head, { methods: ["HEAD"] }).fault, "the status line is malformed");
});

Deno.test("HTTP/2 is recognised by its first frame", () => {
  equal(read("\0\0\x18\x04\0\0\0\0\0and so on").isHttp2, true);
  equal(read("\0\0\x18\x07\0\0\0\0\0and so on").isHttp2, false);
});
