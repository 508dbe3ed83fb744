/** @module parseForm(): how much of a form is read. What it accepts is in `../contact_form_test.ts`. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { parseForm } from "../../../routes/http/form_fields.ts";

function form(pairs: readonly string[]) {
  return parseForm(new TextEncoder().encode(pairs.join("&")));
}

const names = Array.from({ length: 17_000 }, (_, n) => `${n.toString(36)}=x`);

Deno.test("parseForm() reads 32 fields, and of a form with more the first 32", () => {
  deepEqual(Object.keys(form(names.slice(0, 32))), ["values"]);
  for (const many of [names.slice(0, 33), names, Array(60_000).fill("")]) {
    const { values, problem } = form(["message=keep+me", ...many]);
    equal(problem, "too_many_fields");
    equal(values["message"], "keep me");
    equal(Object.keys(values).length, many[0] === "" ? 1 : 32);
  }
});

Deno.test("parseForm() takes the last of several values, and a percent sign without digits as text", () => {
  deepEqual(form(["plan=a", "plan=b", "message=5%25+%+%zz%0D%0A\r\n"]), {
    values: { plan: "b", message: "5% % %zz\n\n" },
  });
});
