/**
 * @module Compresses bodies with brotli and gzip (RFC 9110 §8.4).
 *
 * CompressionStream compresses: `node:zlib` would make brotli an eighth smaller, some 300 bytes of a
 * page, but costs 6 MB of memory and 27 ms of the first page.
 */

import type { Coding } from "./negotiation.ts";

const FORMATS: Readonly<Record<Coding, CompressionFormat>> = { br: "brotli", gzip: "gzip" };

/** Below this size, in bytes, compression is not worth its overhead. */
const WORTHWHILE = 300;

/** Media types to compress; images, except SVG, and fonts are compressed already. */
const COMPRESSIBLE = /^(?:text\/|application\/|image\/svg\+xml)/;

export function isCompressible(body: Uint8Array, contentType: string): boolean {
  return body.byteLength >= WORTHWHILE && COMPRESSIBLE.test(contentType);
}

/** Undefined if no smaller. @throws {TypeError} without the coding, as in Deno before 2.7 */
export async function compress(
  body: Uint8Array<ArrayBuffer>,
  coding: Coding,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const compression = new CompressionStream(FORMATS[coding]);
  const bytes = await new Response(new Response(body).body!.pipeThrough(compression)).bytes();
  return bytes.byteLength < body.byteLength ? bytes : undefined;
}
