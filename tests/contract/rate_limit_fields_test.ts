/** @module The strict parser for RateLimit and RateLimit-Policy. */

import { deepStrictEqual as deepEqual, throws } from "node:assert/strict";
import { FieldError, limitsOf, parseMembers } from "../../contract/limits/fields.ts";

Deno.test("parseMembers() reads members and parameters, and refuses malformed lists", () => {
  deepEqual(
    [...parseMembers('"a";q=1;w=60,  "b\\"c"; q=2, "d"')].map(([name, keys]) => [name, ...keys]),
    [["a", ["q", 1], ["w", 60]], ['b\\"c', ["q", 2]], ["d"]],
  );
  const wrong = [
    ...["", "a;q=1", '"a";q=1,', '"a";q=1 "b";q=1', '"a";q=1.5', '"a";q=-1', '"a";Q=1'],
    ...['"a";q="1"', '"a" ;q=1', '"a";q=1;q=2', '"a";q=1, "a";q=1', "limit=20", '"a\n";q=1'],
  ];
  for (const field of wrong) throws(() => parseMembers(field), FieldError, field);
});

Deno.test("limitsOf() requires that both fields agree", () => {
  const of = (policy: string, state: string) =>
    limitsOf(new Headers({ "ratelimit-policy": policy, ratelimit: state }));
  const limits = of('"a";q=5;w=60', '"a";r=5;t=60');
  deepEqual([...limits], [["a", { quota: 5, window: 60, remaining: 5, reset: 60 }]]);
  const rows: readonly (readonly [policy: string, state: string, fault: RegExp])[] = [
    ['"a";q=5', '"a";r=4;t=1', /RateLimit-Policy lacks w/],
    ['"a";q=5;w=60', '"a";r=4', /RateLimit lacks t/],
    ['"a";q=5;w=60', '"b";r=4;t=1', /other names/],
    ['"a";q=5;w=60', '"a";r=6;t=1', /more than there is/],
    ['"a";q=5;w=60', '"a";r=0;t=61', /longer than its window/],
    ['"a";q=0;w=60', '"a";r=0;t=1', /allows nothing/],
    ['"a";q=5;w=60', "4", /RateLimit is not a list/],
  ];
  for (const [policy, state, fault] of rows) throws(() => of(policy, state), fault);
  throws(() => limitsOf(new Headers()), /RateLimit-Policy is missing/);
});
