/** @module The keyed hash against the published test vectors of HalfSipHash-2-4-64. */

import { strictEqual as equal } from "node:assert/strict";
import { keyedHash } from "../../leads/keyed_hash.ts";

/** The vectors' key: bytes 00 to 07. Each text: as many bytes, counting up from 00. */
const KEY = [0x03020100, 0x07060504] as const;
const VECTORS = [
  [0, "218d1f59b9b83cc8"],
  [1, "be552412f8387315"],
  [3, "ce0f1a45f7060679"],
  [4, "d5e78a175be52ea1"],
  [8, "edfee820bce4858c"],
  [63, "2ea63c71bf326087"],
] as const;

function hex(text: string, key: readonly [number, number]): string {
  const { low, high } = keyedHash(text, key);
  return new Uint8Array(new Uint32Array([low, high]).buffer).toHex();
}

for (const [length, expected] of VECTORS) {
  Deno.test(`keyedHash() of ${length} bytes is that of the published vectors`, () => {
    const text = String.fromCharCode(...Array.from({ length }, (_, n) => n));
    equal(hex(text, KEY), expected);
  });
}

Deno.test("another key gives another hash", () => {
  equal(hex("192.0.2.1", KEY) === hex("192.0.2.1", [KEY[0], KEY[1] + 1]), false);
});
