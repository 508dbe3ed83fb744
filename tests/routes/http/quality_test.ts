/** @module What is remembered of fields: what repeats, and only as long as anybody sends it in earnest. */

import { strictEqual as equal } from "node:assert/strict";
import { remembering } from "../../../routes/http/quality.ts";

Deno.test("a field value is decided once, an absent one never", () => {
  let decided = 0;
  const decide = remembering(() => ++decided, { absent: 0 });
  for (const [field, expected] of [["a", 1], ["b", 2], ["a", 1], [null, 0], ["b", 2]] as const) {
    equal(decide(field), expected);
  }
});

Deno.test("a value of more than 256 characters is decided each time, and not kept", () => {
  let decided = 0;
  const decide = remembering(() => ++decided, { absent: 0 });
  for (const expected of [1, 2]) equal(decide("a".repeat(257)), expected);
  for (let time = 0; time < 2; time++) equal(decide("a".repeat(256)), 3);
});

Deno.test("after a few hundred values the first ones are forgotten", () => {
  let decided = 0;
  const decide = remembering(() => ++decided, { absent: 0 });
  for (let n = 0; n < 1_000; n++) decide(String(n));
  equal(decide("0"), 1_001);
  equal(decide("999"), 1_000);
});
