/** @module Sealed content is opened only with the right key and for the right lead. */

import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from "node:assert/strict";
import { CannotOpen, type Sealed, Sealer } from "../../leads/sealing.ts";
import type { SealingKey } from "../../config/settings.ts";

const OLD = { id: "2025", key: new Uint8Array(32).fill(1) };
const NEW = { id: "2026", key: new Uint8Array(32).fill(2) };
const CONTENT = { email: "ada@example.com", company: "Müller & Söhne 😀" };
const OWNER = "lead-1";
const seal = (...keys: SealingKey[]) => new Sealer(keys).seal<unknown>(CONTENT, OWNER) as Sealed;

Deno.test("Sealer.open() rejects another lead's id, a changed byte and a missing key", () => {
  const sealer = new Sealer([OLD]);
  throws(() => sealer.open<unknown>(seal(OLD), "lead-2"), CannotOpen);
  const changed = seal(OLD);
  changed.data[3]! ^= 1;
  throws(() => sealer.open<unknown>(changed, OWNER), CannotOpen);
  throws(() => new Sealer([NEW]).open<unknown>(seal(OLD), OWNER), /KEYS has no 2025$/);
});

Deno.test("Sealer opens with old keys and seals with the newest; without keys it seals nothing", () => {
  for (const [keys, own] of [[[NEW, OLD], "2026"], [[OLD], "2025"], [[], undefined]] as const) {
    const sealer = new Sealer(keys);
    equal(seal(...keys).key, own);
    equal(sealer.isCurrent(seal(...keys)), true);
    equal(sealer.isCurrent(seal(OLD)), own === "2025");
    deepEqual(sealer.open<unknown>(seal(...keys), OWNER), CONTENT);
    if (keys.length > 0) deepEqual(sealer.open<unknown>(seal(OLD), OWNER), CONTENT);
  }
});
