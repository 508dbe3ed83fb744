/** @module Pseudonyms are stable, because stored keys contain them, and differ by purpose. */

import { notStrictEqual as notEqual, strictEqual as equal } from "node:assert/strict";
import { createPseudonyms } from "../../leads/privacy.ts";

const SECRET = Uint8Array.from({ length: 32 }, (_, n) => n + 1);
const LEAD = {
  email: "Ada@example.com",
  company: "Müller & Söhne",
  message: "Hello",
  plan: "pro",
  locale: "de",
} as const;

Deno.test("createPseudonyms() returns the names that existing databases contain", () => {
  const names = createPseudonyms(SECRET);
  equal(names.address("203.0.113.9"), "wvZu-XN9YWojbM0Mn_gNpKzod2D3UP8k7HS6sdSoyi8");
  equal(names.email("Ada@example.com"), "pA3e484wdHy9sQlNHokbSnp_laeDWRXmMa2_8Ls7gm0");
  equal(names.content(LEAD), "l9Ow_pbri2CcD2nrCR28ZyXwigscTGP_pT3gPz5YWlM");
});

Deno.test("createPseudonyms() ignores case and differs by purpose and secret", () => {
  const names = createPseudonyms(SECRET);
  equal(names.email("Ada@Example.com"), names.email("ada@example.com"));
  notEqual(names.email("ada@example.com"), names.address("ada@example.com"));
  notEqual(createPseudonyms(SECRET.map((byte) => byte + 1)).address("x"), names.address("x"));
});
