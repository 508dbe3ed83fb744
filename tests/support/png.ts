/** @module Reads PNG files. */

import { inflateSync } from "node:zlib";

/** The data of the chunks, by their type. */
export function chunksOf(png: Uint8Array): Map<string, Uint8Array> {
  const chunks = new Map<string, Uint8Array>();
  const view = new DataView(png.buffer, png.byteOffset);
  for (let at = 8; at < png.length;) {
    const end = at + 8 + view.getUint32(at);
    const type = new TextDecoder().decode(png.subarray(at + 4, at + 8));
    chunks.set(type, new Uint8Array([...chunks.get(type) ?? [], ...png.subarray(at + 8, end)]));
    at = end + 4;
  }
  return chunks;
}

/** The pixels of a drawing, four bytes each, with the filters of its rows undone (PNG 3 §9.2). */
export function pixelsOf(png: Uint8Array, width: number): Uint8Array {
  const data = inflateSync(chunksOf(png).get("IDAT")!);
  const stride = 4 * width;
  const pixels = new Uint8Array(data.length);
  for (let row = 0; row * (stride + 1) < data.length; row++) {
    for (let x = 0; x < stride; x++) {
      const at = row * stride + x;
      const [left, up, corner] = [
        x < 4 ? 0 : pixels[at - 4]!,
        row === 0 ? 0 : pixels[at - stride]!,
        x < 4 || row === 0 ? 0 : pixels[at - stride - 4]!,
      ];
      const near = [left, up, corner].map((one) => Math.abs(left + up - corner - one));
      const paeth = [left, up, corner][near.indexOf(Math.min(...near))]!;
      const filter = data[row * (stride + 1)]!;
      const guess = [0, left, up, (left + up) >> 1, paeth][filter]!;
      pixels[at] = data[row * (stride + 1) + 1 + x]! + guess;
    }
  }
  return pixels;
}
