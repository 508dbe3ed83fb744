/** @module JSON bodies: which strings keep their value. `tests/nightly/process/field_cost.ts` has the cost. */

import { deepStrictEqual as deepEqual, throws } from "node:assert/strict";
import { parseJson } from "../../../routes/http/json_body.ts";

const encoder = new TextEncoder();
const parse = (text: string) => parseJson(encoder.encode(text));

const numbers = Array.from({ length: 100 }, (_, n) => String(n + 10));

Deno.test("JSON keeps the first 32 strings of digits, as more than any lead has, and all others", () => {
  const lead = { email: "1@2.example", company: "1234", message: '"5" or "6', plan: "\\7", n: 8 };
  deepEqual(parse(JSON.stringify(lead)), lead);
  deepEqual(parse(JSON.stringify(numbers.slice(0, 32))), numbers.slice(0, 32));
  const kept = numbers.map((text, at) => at < 32 ? text : "0");
  deepEqual(parse(JSON.stringify(numbers)), kept);
  deepEqual(parse(JSON.stringify(numbers).replaceAll('"1', '"\\u0031')), kept);
  const others = numbers.map((text) => [`-${text}`, `${text}"`, `"${text} `, `${text}.5`]);
  deepEqual(parse(JSON.stringify(others)), others);
});

Deno.test("what is no JSON stays none after 32 strings of digits", () => {
  const before = numbers.map((text) => `"${text}"`).join();
  for (const end of ["", "}", ',"1"2"]', ',"12]', ',"\\u003"]', ',"\\u00311"', ',""12""]']) {
    throws(() => parse(`[${before}${end}`), SyntaxError);
  }
  throws(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22)), TypeError);
});
