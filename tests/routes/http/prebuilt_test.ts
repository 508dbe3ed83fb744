/** @module Prebuilt answers: entity tags, conditions, building once, content codings (RFC 9110 §12.5.3). */

import {
  deepStrictEqual as deepEqual,
  match,
  notStrictEqual as notEqual,
  ok,
  strictEqual as equal,
} from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { chooseCoding } from "../../../routes/http/negotiation.ts";
import {
  prebuild,
  prebuildCoded,
  prebuildPlain,
  type Prebuilt,
  prebuiltOnce,
  respond,
  withHeaders,
} from "../../../routes/http/prebuilt.ts";
import { send } from "../../support/send.ts";

const HEADERS = {
  "content-type": "application/json",
  "content-encoding": "identity",
  "cache-control": "public, max-age=300",
  "vary": "accept",
};
const TEXT = '{"name":"Nordlötse"}';

function answer(prebuilt: Prebuilt, headers: Record<string, string> = {}) {
  return send((c) => respond(c, prebuilt), { headers });
}

async function etagOf(prebuilt: Prebuilt): Promise<string> {
  return (await answer(prebuilt)).headers.get("etag") ?? "";
}

// Its headers, HEAD and the 304 are in the contract.
Deno.test("prebuild() gives a strong entity tag over its bytes alone", async () => {
  const etag = await etagOf(await prebuild(TEXT, HEADERS));
  match(etag, /^"[\w-]{16}"$/);
  equal(await etagOf(await prebuild(TEXT, {})), etag);
  notEqual(await etagOf(await prebuild(`${TEXT} `, HEADERS)), etag);
});

Deno.test("a copy that is read, cancelled or changed does not affect the next one", async () => {
  const prebuilt = await prebuild(TEXT, HEADERS);
  await (await answer(prebuilt)).text();
  await (await answer(prebuilt)).body?.cancel();
  const changed = await answer(prebuilt);
  changed.headers.delete("cache-control");
  const response = await answer(prebuilt);
  equal(response.headers.get("cache-control"), HEADERS["cache-control"]);
  equal(await response.text(), TEXT);
});

Deno.test("withHeaders() replaces headers in one copy only", async () => {
  const prebuilt = prebuildPlain(TEXT, { status: 429, headers: HEADERS });
  const response = withHeaders(prebuilt, { "retry-after": "7", vary: "origin" });
  equal(response.status, 429);
  equal(await response.text(), TEXT);
  const own = { ...HEADERS, vary: "origin", "retry-after": "7" };
  deepEqual(Object.fromEntries(response.headers), own);
  const next = await answer(prebuilt, { "if-none-match": "*" });
  equal(next.status, 429, "no 304 without an entity tag");
  equal(next.headers.get("retry-after"), null);
});

// One tag, and the headers of a 304, are in the contract.
Deno.test("If-None-Match may be a list, whose tags are compared weakly", async () => {
  const prebuilt = await prebuild(TEXT, HEADERS);
  const etag = await etagOf(prebuilt);
  const lists = [`"other", ${etag}`, `"other" ,${etag},"third"`, `W/"other", W/${etag}`, " * "];
  for (const held of lists) {
    equal((await answer(prebuilt, { "if-none-match": held })).status, 304, held);
  }
  for (const other of ['W/"other"', '"*"', etag.slice(1, -1), `w/${etag}`]) {
    equal((await answer(prebuilt, { "if-none-match": other })).status, 200, other);
  }
});

Deno.test("prebuiltOnce() builds until it succeeds and then answers without a promise", async () => {
  let builds = 0;
  const handler = prebuiltOnce(() => {
    builds++;
    return builds === 1 ? Promise.reject(new Error("no disk")) : prebuild(TEXT, HEADERS);
  });
  equal(builds, 0);
  equal((await send(handler)).status, 500);
  const first = await Promise.all([send(handler), send(handler)]);
  for (const response of first) equal(await response.text(), TEXT);
  const later = send(handler);
  ok(later instanceof Response);
  equal(await later.text(), TEXT);
  equal(builds, 2);
});

const PAGE = "The same words again and again. ".repeat(20);

Deno.test("each coding is compressed once and then sent without a promise", async () => {
  const prebuilt = await prebuild(PAGE, { "content-type": "text/plain", vary: "Accept" });
  ok(answer(prebuilt) instanceof Response, "identity at once");
  for (const coding of ["br", "gzip"]) {
    const headers = { "accept-encoding": coding };
    const first = [answer(prebuilt, headers), answer(prebuilt, headers)];
    for (const one of first) ok(one instanceof Promise);
    const [one, other] = await Promise.all(first);
    equal(one!.headers.get("content-encoding"), coding);
    equal(one!.headers.get("vary"), "Accept, Accept-Encoding");
    equal(one!.headers.get("etag"), (await etagOf(prebuilt)).replace(/"$/, `-${coding}"`));
    const bytes = await one!.bytes();
    ok(bytes.byteLength < PAGE.length);
    const decoded = coding === "br" ? brotliDecompressSync(bytes) : gunzipSync(bytes);
    equal(decoded.toString(), PAGE);
    deepEqual(bytes, await other!.bytes());
    ok(answer(prebuilt, headers) instanceof Response);
    const init = { status: 404, headers: { "content-type": "text/html" } };
    const error = await answer(prebuildCoded(PAGE, init), headers);
    const found = ["content-encoding", "vary", "etag"].map((name) => error.headers.get(name));
    deepEqual(found, [coding, "Accept-Encoding", null]);
  }
});

Deno.test("an answer is sent as identity if the runtime has no brotli or compression saves nothing", async () => {
  const { CompressionStream } = globalThis;
  let made = 0;
  globalThis.CompressionStream = class extends CompressionStream {
    constructor(format: CompressionFormat) {
      if (format === "brotli") throw new TypeError("not a valid enum value");
      super(format);
      made++;
    }
  };
  try {
    const prebuilt = await prebuild(PAGE, { "content-type": "text/plain" });
    equal(await (await answer(prebuilt, { "accept-encoding": "gzip, br" })).text(), PAGE);
    const ask = () => answer(prebuilt, { "accept-encoding": "gzip" });
    for (const { headers } of await Promise.all([ask(), ask()])) {
      equal(headers.get("content-encoding"), "gzip");
    }
    equal(made, 1, "compressed once");
    const noise = crypto.getRandomValues(new Uint8Array(1_000));
    const incompressible = await prebuild(noise, { "content-type": "text/plain" });
    const response = await answer(incompressible, { "accept-encoding": "gzip" });
    equal(response.headers.get("content-encoding"), null);
    deepEqual(await response.bytes(), noise);
  } finally {
    globalThis.CompressionStream = CompressionStream;
  }
});

/** Values of Accept-Encoding by the coding that they get; a malformed quality counts as 1. */
const CODINGS: Readonly<Record<string, readonly (string | null)[]>> = {
  identity: [
    null,
    "",
    "deflate",
    "*;q=0",
    "br;q=0, gzip;q=0",
    "identity, gzip;q=0.5",
    "identity;q=0",
  ],
  gzip: ["gzip", "x-gzip", "br;q=0, *", "br;q=0.5, gzip", "identity;q=0.5, gzip;q=0.5", "gzip;q=2"],
  br: [
    "BR",
    "gzip, deflate, br, zstd",
    "*",
    "br;q=0.5, gzip;q=0.5",
    "br;q=x, gzip",
    " br ; q=1.000 ",
  ],
};

Deno.test("chooseCoding() chooses brotli, gzip or identity by Accept-Encoding", async () => {
  for (const [coding, fields] of Object.entries(CODINGS)) {
    for (const field of fields) {
      const headers = field === null ? {} : { "accept-encoding": field };
      const response = await send((c) => c.text(chooseCoding(c)), { headers });
      equal(await response.text(), coding, `${field}`);
    }
  }
});

Deno.test("small bodies and images are not compressed", () => {
  function varies(size: number, type: string): boolean {
    const init = { status: 404, headers: { "content-type": type } };
    return prebuildCoded(" ".repeat(size), init).full.headers.get("vary") === "Accept-Encoding";
  }
  ok(varies(300, "text/html; charset=utf-8"));
  ok(varies(300, "image/svg+xml"));
  ok(!varies(299, "text/plain"));
  ok(!varies(300, "image/png"));
});
