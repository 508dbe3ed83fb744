/** @module Accept-Encoding by RFC 9110 §12.5.3, and what becomes of the bytes. */

import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { chooseCoding, compress, isCompressible } from "../../../routes/http/content_coding.ts";
import { send } from "../../support/send.ts";

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
  // Malformed, as Hono reads it: 1
  ["gzip;q=2", "gzip"],
  ["br;q=x, gzip", "br"],
  [",,gzip,", "gzip"],
  [" br ; q=1.000 ", "br"],
];

Deno.test("Accept-Encoding chooses brotli, gzip or the bytes as they are", async () => {
  for (const [field, expected] of TABLE) {
    const headers = field === null ? {} : { "accept-encoding": field };
    const response = await send((c) => c.text(chooseCoding(c)), { headers });
    assert.equal(await response.text(), expected, `${field}`);
  }
});

const TEXT = new TextEncoder().encode("The same words again and again. ".repeat(100));

Deno.test("each coding decodes to the bytes that went in, and is smaller", async () => {
  const [br, gzip] = [await compress(TEXT, "br"), await compress(TEXT, "gzip")];
  assert.deepEqual(new Uint8Array(brotliDecompressSync(br!)), TEXT);
  assert.deepEqual(new Uint8Array(gunzipSync(gzip!)), TEXT);
  for (const bytes of [br!, gzip!]) assert.ok(bytes.byteLength < TEXT.byteLength);
});

Deno.test("what does not shrink stays as it is", async () => {
  const noise = crypto.getRandomValues(new Uint8Array(1_000));
  for (const coding of ["br", "gzip"] as const) {
    assert.equal(await compress(noise, coding), undefined);
  }
});

Deno.test("small bodies and images are not compressed", () => {
  assert.ok(isCompressible(TEXT, { contentType: "text/html; charset=utf-8" }));
  assert.ok(isCompressible(TEXT.slice(0, 300), { contentType: "image/svg+xml" }));
  assert.ok(!isCompressible(TEXT.slice(0, 299), { contentType: "text/plain" }));
  assert.ok(!isCompressible(TEXT, { contentType: "image/png" }));
});
