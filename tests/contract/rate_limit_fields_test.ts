/** @module The strict parser for RateLimit and RateLimit-Policy. */

import { deepStrictEqual as deepEqual, throws } from "node:assert/strict";
import { limitsOf } from "../../contract/limits/fields.ts";

function read(policy: string, state: string): ReturnType<typeof limitsOf> {
  return limitsOf(new Headers({ "ratelimit-policy": policy, ratelimit: state }));
}

Deno.test("limitsOf() reads members and parameters, and refuses malformed lists", () => {
  const limits = read('"a";q=1;w=60,  "b\\"c"; q=2; w=7;b=1', '"a";t=4;r=1, "b\\"c";r=0;t=7');
  deepEqual([...limits], [
    ["a", { quota: 1, window: 60, remaining: 1, reset: 4 }],
    ['b\\"c', { quota: 2, window: 7, remaining: 0, reset: 7 }],
  ]);
  const wrong = [
    ...["", "a;q=1;w=1", '"a";q=1;w=1,', '"a";q=1;w=1 "b";q=1;w=1', '"a";q=1.5;w=1'],
    ...['"a";q=-1;w=1', '"a";Q=1;w=1', '"a";q="1";w=1', '"a" ;q=1;w=1', '"a";q=1;w=1;q=2'],
    ...['"a";q=1;w=1, "a";q=1;w=1', "limit=20", '"a\t";q=1;w=1', '"a";q=1;w=1, "d"'],
  ];
  for (const field of wrong) throws(() => read(field, '"a";r=0;t=0'), SyntaxError, field);
});

Deno.test("limitsOf() requires that both fields agree", () => {
  deepEqual(read('"a";q=5;w=60', '"a";r=5;t=60').get("a")?.remaining, 5);
  const rows: readonly (readonly [policy: string, state: string, fault: RegExp])[] = [
    ['"a";q=5', '"a";r=4;t=1', /RateLimit-Policy lacks w/],
    ['"a";q=5;w=60', '"a";r=4', /RateLimit lacks t/],
    ['"a";q=5;w=60', '"b";r=4;t=1', /other names/],
    ['"a";q=5;w=60', '"a";r=6;t=1', /more than there is/],
    ['"a";q=5;w=60', '"a";r=0;t=61', /longer than its window/],
    ['"a";q=0;w=60', '"a";r=0;t=1', /allows nothing/],
    ['"a";q=5;w=60', "4", /RateLimit is not a list/],
  ];
  for (const [policy, state, fault] of rows) throws(() => read(policy, state), fault);
  throws(() => limitsOf(new Headers()), /RateLimit-Policy is missing/);
});
