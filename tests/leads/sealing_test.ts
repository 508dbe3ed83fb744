/** @module Sealed content is opened only with the right key and for the right lead. */

import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from "node:assert/strict";
import { CannotOpen, type Sealed, Sealer } from "../../leads/sealing.ts";

const OLD = { id: "2025", key: new Uint8Array(32).fill(1) };
const NEW = { id: "2026", key: new Uint8Array(32).fill(2) };
const CONTENT = { email: "ada@example.com", company: "Müller & Söhne 😀" };

function seal(): Sealed {
  return new Sealer([OLD]).seal<unknown>(CONTENT, "lead-1") as Sealed;
}

Deno.test("Sealer.open() rejects another lead's id, a changed byte and a missing key", () => {
  const sealer = new Sealer([OLD]);
  throws(() => sealer.open<unknown>(seal(), "lead-2"), CannotOpen);
  const changed = seal();
  changed.data[3]! ^= 1;
  throws(() => sealer.open<unknown>(changed, "lead-1"), CannotOpen);
  const missing = /LEAD_ENCRYPTION_KEYS has no 2025/;
  throws(() => new Sealer([NEW]).open<unknown>(seal(), "lead-1"), missing);
});

Deno.test("Sealer opens with old keys and seals with the newest", () => {
  const rotated = new Sealer([NEW, OLD]);
  deepEqual(rotated.open<unknown>(seal(), "lead-1"), CONTENT);
  equal(rotated.isCurrent(seal()), false);
  const after = rotated.seal<unknown>(CONTENT, "lead-1") as Sealed;
  equal(after.key, "2026");
  equal(rotated.isCurrent(after), true);
});

Deno.test("Sealer without keys leaves content as it is", () => {
  const none = new Sealer([]);
  equal(none.seal(CONTENT, "lead-1"), CONTENT);
  equal(none.open(CONTENT, "lead-1"), CONTENT);
  equal(none.isCurrent(CONTENT), true);
  equal(none.isCurrent(seal()), false);
});
