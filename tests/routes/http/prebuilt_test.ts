/** @module Prebuilt answers: entity tags, conditional requests, building once. */

import {
  deepStrictEqual as deepEqual,
  match,
  notStrictEqual as notEqual,
  ok,
  strictEqual as equal,
} from "node:assert/strict";
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

/** What a request with these fields gets. */
function answer(
  prebuilt: Prebuilt,
  headers: Record<string, string> = {},
): Response | Promise<Response> {
  return send((c) => respond(c, prebuilt), { headers });
}

async function etagOf(prebuilt: Prebuilt): Promise<string> {
  return (await answer(prebuilt)).headers.get("etag") ?? "";
}

Deno.test("a prebuilt answer has its headers, and a strong entity tag over its bytes", async () => {
  const response = await answer(await prebuild(TEXT, HEADERS));
  equal(response.status, 200);
  for (const [name, value] of Object.entries(HEADERS)) equal(response.headers.get(name), value);
  const etag = response.headers.get("etag") ?? "";
  match(etag, /^"[\w-]{16}"$/);
  equal(await response.text(), TEXT);
  equal(await etagOf(await prebuild(TEXT, {})), etag);
  notEqual(await etagOf(await prebuild(`${TEXT} `, HEADERS)), etag);
});

Deno.test("an answer that was read, cut off or changed leaves the next one whole", async () => {
  const prebuilt = await prebuild(TEXT, HEADERS);
  await (await answer(prebuilt)).text();
  await (await answer(prebuilt)).body?.cancel();
  const changed = await answer(prebuilt);
  changed.headers.delete("cache-control");
  const response = await answer(prebuilt);
  equal(response.headers.get("cache-control"), HEADERS["cache-control"]);
  equal(await response.text(), TEXT);
});

Deno.test("headers of one occurrence are in its answer alone, in place of those prebuilt", async () => {
  const prebuilt = prebuildPlain(TEXT, 429, HEADERS);
  const response = withHeaders(prebuilt, { "retry-after": "7", vary: "origin" });
  equal(response.status, 429);
  equal(await response.text(), TEXT);
  const own = { ...HEADERS, vary: "origin", "retry-after": "7" };
  deepEqual(Object.fromEntries(response.headers), own);
  equal((await answer(prebuilt)).headers.get("retry-after"), null);
});

/** If-None-Match with TAG for the current entity tag, and whether it matches. */
const CONDITIONS: readonly (readonly [string, boolean])[] = [
  ["TAG", true],
  ["W/TAG", true],
  ["*", true],
  [" * ", true],
  ['"other", TAG', true],
  ['TAG, "other"', true],
  ['"other",TAG,"third"', true],
  ['W/"other", W/TAG', true],
  ['"other" , TAG', true],
  ['"other"', false],
  ['W/"other"', false],
  ['""', false],
  ["", false],
  ['"*"', false],
  ["BARE", false],
  ["w/TAG", false],
];

Deno.test("If-None-Match is compared weakly, entry by entry", async () => {
  const prebuilt = await prebuild(TEXT, HEADERS);
  const etag = await etagOf(prebuilt);
  for (const [template, held] of CONDITIONS) {
    const field = template.replace("TAG", etag).replace("BARE", etag.slice(1, -1));
    const response = await answer(prebuilt, { "if-none-match": field });
    equal(response.status, held ? 304 : 200, template);
    equal(await response.text(), held ? "" : TEXT);
  }
});

Deno.test("a 304 repeats what a cache needs and says nothing of a body", async () => {
  const prebuilt = await prebuild(TEXT, HEADERS);
  const response = await answer(prebuilt, { "if-none-match": "*" });
  deepEqual(Object.fromEntries(response.headers), {
    "cache-control": "public, max-age=300",
    "etag": await etagOf(prebuilt),
    "vary": "accept",
  });
  equal(response.body, null);
});

Deno.test("an answer without entity tag is never 304", async () => {
  const response = await answer(prebuildPlain(TEXT, 404, HEADERS), { "if-none-match": "*" });
  equal(response.status, 404);
  equal(response.headers.get("etag"), null);
  equal(await response.text(), TEXT);
});

Deno.test("prebuiltOnce() builds with the first request and then answers without a promise", async () => {
  let builds = 0;
  const handler = prebuiltOnce(() => {
    builds++;
    return prebuild(TEXT, HEADERS);
  });
  equal(builds, 0);
  const first = await Promise.all([send(handler), send(handler)]);
  for (const response of first) equal(await response.text(), TEXT);
  const later = send(handler);
  ok(later instanceof Response);
  equal(await later.text(), TEXT);
  equal(builds, 1);
});

Deno.test("prebuiltOnce() tries again after a failed build", async () => {
  let builds = 0;
  const handler = prebuiltOnce(() => {
    builds++;
    return builds === 1 ? Promise.reject(new Error("no disk")) : prebuild(TEXT, HEADERS);
  });
  equal((await send(handler)).status, 500);
  equal((await send(handler)).status, 200);
});

/** Long enough to be compressed. */
const PAGE = "The same words again and again. ".repeat(20);

Deno.test("each coding is made with the first request for it, and then comes without a promise", async () => {
  const prebuilt = await prebuild(PAGE, { "content-type": "text/plain", vary: "Accept" });
  ok(answer(prebuilt) instanceof Response, "as it is, at once");
  for (const coding of ["br", "gzip"]) {
    const headers = { "accept-encoding": coding };
    const first = [answer(prebuilt, headers), answer(prebuilt, headers)];
    for (const one of first) ok(one instanceof Promise);
    const [one, other] = await Promise.all(first);
    equal(one!.headers.get("content-encoding"), coding);
    equal(one!.headers.get("vary"), "Accept, Accept-Encoding");
    equal(one!.headers.get("etag"), (await etagOf(prebuilt)).replace(/"$/, `-${coding}"`));
    deepEqual(await one!.bytes(), await other!.bytes());
    ok(answer(prebuilt, headers) instanceof Response);
  }
});

Deno.test("prebuildCoded() is compressed and has no entity tag", async () => {
  const prebuilt = prebuildCoded(PAGE, 404, { "content-type": "text/html" });
  const response = await answer(prebuilt, { "accept-encoding": "br" });
  equal(response.status, 404);
  equal(response.headers.get("content-encoding"), "br");
  equal(response.headers.get("vary"), "Accept-Encoding");
  equal(response.headers.get("etag"), null);
});

Deno.test("what no coding makes smaller goes out as it is", async () => {
  const noise = crypto.getRandomValues(new Uint8Array(1_000));
  const prebuilt = await prebuild(noise, { "content-type": "text/plain" });
  for (let time = 0; time < 2; time++) {
    const response = await answer(prebuilt, { "accept-encoding": "br" });
    equal(response.headers.get("content-encoding"), null);
    deepEqual(await response.bytes(), noise);
  }
});

Deno.test("where the runtime has no brotli, what a visitor who asks for it gets is as it is", async () => {
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
  } finally {
    globalThis.CompressionStream = CompressionStream;
  }
});
