/** @module Content codings: Accept-Encoding (RFC 9110 §12.5.3) and compression. */

import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { compress, isCompressible } from "../../../routes/http/content_coding.ts";
import { chooseCoding } from "../../../routes/http/negotiation.ts";
import { send } from "../../support/send.ts";

/** Accept-Encoding and the coding. */
const TABLE: readonly (readonly [string | null, "br" | "gzip" | "identity"])[] = [
  [null, "identity"],
  ["", "identity"],
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["BR", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["deflate", "identity"],
  ["*", "br"],
  ["*;q=0", "identity"],
  ["br;q=0, *", "gzip"],
  ["br;q=0, gzip;q=0", "identity"],
  ["br;q=0.5, gzip", "gzip"],
  ["br;q=0.5, gzip;q=0.5", "br"],
  ["identity, gzip;q=0.5", "identity"],
  ["identity;q=0.5, gzip;q=0.5", "gzip"],
  ["identity;q=0", "identity"],
  // A malformed quality counts as 1
  ["gzip;q=2", "gzip"],
  ["br;q=x, gzip", "br"],
  [" br ; q=1.000 ", "br"],
];

Deno.test("chooseCoding() chooses brotli, gzip or identity by Accept-Encoding", async () => {
  for (const [field, expected] of TABLE) {
    const headers = field === null ? {} : { "accept-encoding": field };
    const response = await send((c) => c.text(chooseCoding(c)), { headers });
    assert.equal(await response.text(), expected, `${field}`);
  }
});

const TEXT = new TextEncoder().encode("The same words again and again. ".repeat(100));

Deno.test("compress() gives fewer bytes that decode to the body", async () => {
  const [br, gzip] = [await compress(TEXT, "br"), await compress(TEXT, "gzip")];
  assert.deepEqual(new Uint8Array(brotliDecompressSync(br!)), TEXT);
  assert.deepEqual(new Uint8Array(gunzipSync(gzip!)), TEXT);
  for (const bytes of [br!, gzip!]) assert.ok(bytes.byteLength < TEXT.byteLength);
});

Deno.test("isCompressible() rejects small bodies and images", () => {
  assert.ok(isCompressible(TEXT, "text/html; charset=utf-8"));
  assert.ok(isCompressible(TEXT.slice(0, 300), "image/svg+xml"));
  assert.ok(!isCompressible(TEXT.slice(0, 299), "text/plain"));
  assert.ok(!isCompressible(TEXT, "image/png"));
});
