/**
 * @module In which content coding an answer is sent (RFC 9110 §8.4, §12.5.3): brotli, gzip or as it
 * is. Each body is compressed once, with the first request for a coding.
 *
 * By the platform's stream: Node's library makes brotli an eighth smaller, some 300 bytes of a page,
 * and costs 6 MB of memory and 27 ms of the first page.
 */

import type { Context } from "@hono/hono";
import { accepts } from "@hono/hono/accepts";
import type { Accept } from "@hono/hono/utils/accept";
import { qualityOf } from "./negotiation.ts";

export type Coding = "br" | "gzip";

const FORMATS: Readonly<Record<Coding, CompressionFormat>> = { br: "brotli", gzip: "gzip" };

/** Below this size, in bytes, a coding's own overhead eats what it saves. */
const WORTHWHILE = 300;

/** Media types that shrink; images, but for SVG, and fonts are compressed already. */
const COMPRESSIBLE = /^(?:text\/|application\/|image\/svg\+xml)/;

/**
 * The coding that the Accept-Encoding field of a request asks for; `identity`: as it is. The highest
 * quality wins, brotli among equals. A client that forbids everything gets the bytes as they are.
 */
export function chooseCoding(c: Context): Coding | "identity" {
  return accepts(c, {
    header: "Accept-Encoding",
    supports: ["br", "gzip"],
    default: "identity",
    match: matchCoding,
  }) as Coding | "identity";
}

function matchCoding(preferences: Accept[]): Coding | "identity" {
  const br = qualityOf(preferences, ["br", "*"]);
  const gzip = qualityOf(preferences, ["gzip", "x-gzip", "*"]);
  const highest = Math.max(br, gzip);
  // Not named, identity is acceptable, but no client has asked for it.
  if (highest === 0 || highest < qualityOf(preferences, ["identity"])) return "identity";
  return br === highest ? "br" : "gzip";
}

/** Whether a body may be worth compressing: not what is small or compressed already. */
export function isCompressible(
  body: Uint8Array,
  { contentType }: { readonly contentType: string },
): boolean {
  return body.byteLength >= WORTHWHILE && COMPRESSIBLE.test(contentType);
}

/**
 * The body in a coding; undefined where that is no smaller.
 *
 * @throws {TypeError} where the runtime lacks the coding: before 2.7 Deno had no brotli here, and
 * compressed by itself what went out as it is
 */
export async function compress(
  body: Uint8Array<ArrayBuffer>,
  coding: Coding,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const compression = new CompressionStream(FORMATS[coding]);
  const bytes = await new Response(new Response(body).body!.pipeThrough(compression)).bytes();
  return bytes.byteLength < body.byteLength ? bytes : undefined;
}
