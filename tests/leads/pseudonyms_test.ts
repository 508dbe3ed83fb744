/** @module Pseudonyms are HMAC-SHA-256 under the store's secret, and cannot be compared across purposes. */

import { notStrictEqual as notEqual, strictEqual as equal } from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createPseudonyms } from "../../leads/privacy.ts";

const SECRET = Uint8Array.from({ length: 32 }, (_, n) => n + 1);

/** Node's own, from the key each time. */
function hmac(text: string): string {
  return createHmac("sha256", SECRET).update(text).digest("base64url");
}

Deno.test("a pseudonym is the HMAC of its purpose and the text, whatever the text", () => {
  const names = createPseudonyms(SECRET);
  const texts = ["", "2001:db8::/64", "münchen 😀", "\0", "\ud800", ..."x".repeat(3)];
  for (let length = 0; length < 200; length++) texts.push("y".repeat(length));
  for (const text of texts) equal(names.address(text), hmac(`address\0${text}`), text);
});

Deno.test("the pseudonym of a lead's content is that of all its members but the honeypot", () => {
  const lead = {
    email: "Ada@example.com",
    company: "Müller & Söhne",
    message: "Hello",
    plan: "pro",
    locale: "de",
  } as const;
  const members = ["ada@example.com", "Müller & Söhne", "Hello", "pro", "de"];
  equal(createPseudonyms(SECRET).content(lead), hmac(`content\0${JSON.stringify(members)}`));
});

Deno.test("an address as such and as a person's has two pseudonyms, and another secret gives others", () => {
  const names = createPseudonyms(SECRET);
  equal(names.email("Ada@Example.com"), names.email("ada@example.com"));
  notEqual(names.email("ada@example.com"), names.address("ada@example.com"));
  notEqual(createPseudonyms(SECRET.map((byte) => byte + 1)).address("x"), names.address("x"));
});
