/**
 * @module In which content coding an answer is sent (RFC 9110 §8.4, §12.5.3): brotli, gzip or as it
 * is. Compresses once, with the most effort, because the result is handed out many times.
 */

import { parsePreferences, qualityOf, remembering } from "./quality.ts";

/** The codings, the one that makes texts smallest first. */
const CODINGS = ["br", "gzip"] as const;

/** A content coding by its registered name. */
export type Coding = typeof CODINGS[number];

/** Below this size, in bytes, a coding's own overhead eats what it saves. */
const WORTHWHILE = 300;

/** Media types that shrink; images, but for SVG, and fonts are compressed already. */
const COMPRESSIBLE = /^(?:text\/|application\/|image\/svg\+xml)/;

/**
 * Chooses among the codings for an Accept-Encoding field value; `identity`: as it is. The highest
 * quality wins, brotli among equals. Nothing is ever refused: who forbids everything gets the bytes.
 *
 * @example
 * ```ts
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(chooseCoding("gzip, deflate, br, zstd"), "br");
 * strictEqual(chooseCoding("br;q=0, *"), "gzip");
 * strictEqual(chooseCoding("identity"), "identity");
 * ```
 */
export const chooseCoding: (acceptEncoding: string | null) => Coding | "identity" = remembering(
  decide,
  { absent: "identity" },
);

function decide(field: string): Coding | "identity" {
  const preferences = parsePreferences(field);
  let best: Coding | "identity" = "identity";
  // Not named, identity is acceptable but nothing that anyone has asked for.
  let highest = qualityOf(preferences, ["identity"]) ?? 0;
  for (const coding of CODINGS) {
    const names = coding === "gzip" ? ["gzip", "x-gzip", "*"] : [coding, "*"];
    const quality = qualityOf(preferences, names) ?? 0;
    if (quality > highest || (quality === highest && quality > 0 && best === "identity")) {
      best = coding;
      highest = quality;
    }
  }
  return best;
}

/** The body in each coding that makes it smaller; none for what is small or compressed already. */
export async function encode(
  body: Uint8Array<ArrayBuffer>,
  { contentType }: { readonly contentType: string },
): Promise<ReadonlyMap<Coding, Uint8Array<ArrayBuffer>>> {
  if (body.byteLength < WORTHWHILE || !COMPRESSIBLE.test(contentType)) return new Map();
  const zlib = await import("node:zlib");
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT } = zlib.constants;
  const params = {
    // A window that holds the whole body; the usual one takes some 30 MB that are never given back.
    [BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(10, Math.ceil(Math.log2(body.byteLength + 16)))),
    [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
  };
  const encoded = await Promise.all([
    finished((done) => zlib.brotliCompress(body, { params }, done)).then((br) =>
      ["br", br] as const
    ),
    finished((done) => zlib.gzip(body, { level: 9 }, done)).then((gz) => ["gzip", gz] as const),
  ]);
  return new Map(encoded.filter(([, bytes]) => bytes.byteLength < body.byteLength));
}

function finished(
  run: (done: (error: Error | null, result: Uint8Array) => void) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) =>
    run((error, result) => error ? reject(error) : resolve(new Uint8Array(result)))
  );
}
