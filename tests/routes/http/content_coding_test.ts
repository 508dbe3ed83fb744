/** @module Accept-Encoding by RFC 9110 §12.5.3, and what becomes of the bytes. */

import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { chooseCoding, encode } from "../../../routes/http/content_coding.ts";

/** Field value and what is sent. */
const TABLE: readonly (readonly [string | null, "br" | "gzip" | "identity"])[] = [
  [null, "identity"],
  ["", "identity"],
  ["identity", "identity"],
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["br", "br"],
  ["BR", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["deflate", "identity"],
  ["*", "br"],
  ["*;q=0", "identity"],
  ["br;q=0, *", "gzip"],
  ["br;q=0, gzip;q=0", "identity"],
  ["br;q=0.5, gzip", "gzip"],
  ["br;q=0.5, gzip;q=0.5", "br"],
  ["gzip;q=0.001", "gzip"],
  ["identity, gzip;q=0.5", "identity"],
  ["identity;q=0.5, gzip;q=0.5", "gzip"],
  ["identity;q=0", "identity"],
  ["gzip;q=2", "identity"],
  ["br;q=x, gzip", "gzip"],
  [",,gzip,", "gzip"],
  [" br ; q=1.000 ", "br"],
];

for (const [field, expected] of TABLE) {
  Deno.test(`Accept-Encoding ${JSON.stringify(field)} gets ${expected}`, () => {
    assert.equal(chooseCoding(field), expected);
    assert.equal(chooseCoding(field), expected, "remembered");
  });
}

const TEXT = new TextEncoder().encode("The same words again and again. ".repeat(100));

Deno.test("each coding decodes to the bytes that went in, and is smaller", async () => {
  const coded = await encode(TEXT, { contentType: "text/html; charset=utf-8" });
  assert.deepEqual([...coded.keys()], ["br", "gzip"]);
  assert.deepEqual(new Uint8Array(brotliDecompressSync(coded.get("br")!)), TEXT);
  assert.deepEqual(new Uint8Array(gunzipSync(coded.get("gzip")!)), TEXT);
  for (const bytes of coded.values()) assert.ok(bytes.byteLength < TEXT.byteLength);
});

Deno.test("small bodies, images and what does not shrink stay as they are", async () => {
  assert.equal((await encode(TEXT.slice(0, 299), { contentType: "text/plain" })).size, 0);
  assert.equal((await encode(TEXT, { contentType: "image/png" })).size, 0);
  const noise = crypto.getRandomValues(new Uint8Array(1_000));
  assert.equal((await encode(noise, { contentType: "text/plain" })).size, 0);
});
