/** @module Arbitrary bytes, text and media types. */

import fc from "fast-check";

const TYPES = [
  ...["", "text/plain", "text/json", "application/xml", "application/problem+json"],
  ...["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"],
  ...["application/octet-stream", "*/*", "/", ";", ","],
];

/** What parsers of JSON and databases mishandle: a lone surrogate, NUL, the name of a prototype. */
const ODD = ["\\ud800", "\\u0000", '"__proto__":{},'].map((text) => new TextEncoder().encode(text));

/** Header values: visible ASCII, spaces, tabs and the upper half of Latin-1 (RFC 9110 §5.5). */
export function fieldValues(): fc.Arbitrary<string> {
  const visible = fc.integer({ min: 0x21, max: 0x7e });
  const other = fc.constantFrom(0x09, 0x20, 0x80, 0xa0, 0xff);
  const unit = fc.oneof({ arbitrary: visible, weight: 9 }, { arbitrary: other, weight: 1 })
    .map((code) => String.fromCharCode(code));
  return fc.string({ unit, maxLength: 80 }).map((text) => text.trim());
}

/**
 * Any code point but surrogates, which UTF-8 cannot encode. fast-check's `binary` unit does the same,
 * but takes seconds to build.
 */
export function codePoints(): fc.Arbitrary<string> {
  const ranges = [[0x20, 0x7e], [0, 0xff], [0x100, 0xd7ff], [0xe000, 0xffff], [0x10000, 0x10ffff]];
  const codes = ranges.map(([min, max]) => fc.integer({ min: min!, max: max! }));
  return fc.oneof({ withCrossShrink: true }, ...codes).map((code) => String.fromCodePoint(code));
}

/** The right media type, with and without parameters, and wrong ones. */
export function mediaTypes(right: string): fc.Arbitrary<string> {
  const wrong = fc.constantFrom(...TYPES, `x${right}`, `${right}x`, `${right},${right}`);
  const others = [fieldValues().map((text) => `${right};${text}`), wrong, fieldValues()];
  return fc.oneof({ arbitrary: fc.constant(right), weight: 5 }, ...others);
}

/** Random bytes, JSON, text, and slightly damaged valid bodies. */
export function anyBytes(valid: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const bytes = fc.uint8Array({ maxLength: 400 }).map((noise) => new Uint8Array(noise));
  const text = fc.oneof(fc.json(), fc.string({ unit: codePoints(), maxLength: 400 }))
    .map((one) => new TextEncoder().encode(one));
  const damage = fc.record({
    at: fc.nat(),
    remove: fc.integer({ min: 0, max: 5 }),
    insert: fc.oneof(fc.uint8Array({ maxLength: 5 }), fc.constantFrom(...ODD)),
  });
  const damaged = fc.tuple(valid, damage).map(([body, { at, remove, insert }]) => {
    const whole = new TextEncoder().encode(body);
    const start = at % (whole.length + 1);
    return new Uint8Array([...whole].toSpliced(start, remove, ...insert));
  });
  return fc.oneof(bytes, text, damaged);
}
