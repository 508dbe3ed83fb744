/** @module The strict parser for RateLimit and RateLimit-Policy. */

import { deepStrictEqual as deepEqual, throws } from "node:assert/strict";
import { limitsOf } from "../../contract/service/instances/limit_client.ts";

function read(policy: string, state: string, wait?: string): ReturnType<typeof limitsOf> {
  const status = wait === undefined ? 200 : 429;
  const fields = { "ratelimit-policy": policy, ratelimit: state, "retry-after": wait ?? "" };
  return limitsOf({ status, headers: new Headers(fields) });
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
  const both = '"a";q=5;w=60, "b";q=9;w=60';
  deepEqual(read(both, '"a";r=0;t=7, "b";r=1;t=9', "7").size, 2);
  throws(() => read(both, '"a";r=0;t=7, "b";r=1;t=9', "9"), /differs from Retry-After/);
  throws(() => read(both, '"a";r=1;t=7, "b";r=1;t=9', "7"), /something to a refusal/);
  throws(() => limitsOf({ status: 200, headers: new Headers() }), /RateLimit-Policy is missing/);
});
