/**
 * @module HalfSipHash-2-4 with 64 bits of result (Aumasson and Bernstein): a keyed hash for tables in
 * memory whose keys strangers choose. Without the secret nobody can aim at a slot.
 *
 * Node's HMAC does the same in thirty times the time. What leaves the process is named by HMAC
 * (`privacy.ts`): a key of 64 bits is too short for that.
 */

/** Both halves of a hash, as unsigned 32-bit numbers. */
export interface Hash {
  readonly low: number;
  readonly high: number;
}

/**
 * HalfSipHash-2-4 with 64 bits of result: keyed, and quick for short texts.
 *
 * @param text by the low bytes of its UTF-16 units, which is all of it for an address
 * @param key 64 secret bits, in two halves
 */
export function keyedHash(text: string, [low, high]: readonly [number, number]): Hash {
  let v0 = low;
  let v1 = high ^ 0xee;
  let v2 = low ^ 0x6c796765;
  let v3 = high ^ 0x74656462;

  function rounds(count: number): void {
    for (let n = 0; n < count; n++) {
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
    }
  }
  function absorb(word: number): void {
    v3 ^= word;
    rounds(2);
    v0 ^= word;
  }

  let word = 0;
  for (let at = 0; at < text.length; at++) {
    word |= (text.charCodeAt(at) & 0xff) << (8 * (at % 4));
    if (at % 4 < 3) continue;
    absorb(word);
    word = 0;
  }
  absorb(word | (text.length << 24));
  v2 ^= 0xee;
  rounds(4);
  const first = (v1 ^ v3) >>> 0;
  v1 ^= 0xdd;
  rounds(4);
  return { low: first, high: (v1 ^ v3) >>> 0 };
}
