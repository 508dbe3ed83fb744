/** @module Reads PNG files. */

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
