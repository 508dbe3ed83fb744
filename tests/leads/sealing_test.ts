/** @module Sealed content: opened by the right key and the right lead only. */

import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from "node:assert/strict";
import { CannotOpen, Sealer } from "../../leads/sealing.ts";

function key(id: string, byte: number) {
  return { id, key: new Uint8Array(32).fill(byte) };
}

const OLD = key("2025", 1);
const NEW = key("2026", 2);
const CONTENT = { email: "ada@example.com", company: "Müller & Söhne 😀" };

Deno.test("sealed content holds nothing of what was sealed", () => {
  const sealed = new Sealer([OLD]).seal(CONTENT, "lead-1");
  const bytes = new TextDecoder("latin1").decode((sealed as { data: Uint8Array }).data);
  equal(/ada|example|ller/.test(bytes + JSON.stringify(sealed)), false);
});

Deno.test("content sealed for one lead cannot be opened as another's", () => {
  const sealer = new Sealer([OLD]);
  throws(() => sealer.open(sealer.seal(CONTENT, "lead-1"), "lead-2"), CannotOpen);
});

Deno.test("a changed byte is noticed", () => {
  const sealer = new Sealer([OLD]);
  const sealed = sealer.seal<unknown>(CONTENT, "lead-1") as { data: Uint8Array };
  sealed.data[3]! ^= 1;
  throws(() => sealer.open<unknown>(sealed, "lead-1"), CannotOpen);
});

Deno.test("old keys open, the newest seals", () => {
  const before = new Sealer([OLD]).seal<unknown>(CONTENT, "lead-1");
  const rotated = new Sealer([NEW, OLD]);
  deepEqual(rotated.open(before, "lead-1"), CONTENT);
  equal(rotated.isCurrent(before), false);
  const after = rotated.seal<unknown>(CONTENT, "lead-1");
  equal((after as { key: string }).key, "2026");
  equal(rotated.isCurrent(after), true);
});

Deno.test("a key that is gone is named", () => {
  const sealed = new Sealer([OLD]).seal<unknown>(CONTENT, "lead-1");
  throws(() => new Sealer([NEW]).open(sealed, "lead-1"), /LEAD_ENCRYPTION_KEYS has no 2025/);
});

Deno.test("without keys content is kept as it is, and what is sealed is not current", () => {
  const none = new Sealer([]);
  equal(none.seal(CONTENT, "lead-1"), CONTENT);
  equal(none.open(CONTENT, "lead-1"), CONTENT);
  equal(none.isCurrent(CONTENT), true);
  equal(none.isCurrent(new Sealer([OLD]).seal<unknown>(CONTENT, "lead-1")), false);
});
