/** @module A session with a service in production: its limits are waited for, but not for ever. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { say, setUp, type Spoil } from "./small_service.ts";

const CALL = { method: "GET", path: "/api/alive" };
const PURPOSE = { tier: "cases", title: "whether it is alive" };
const REFUSAL = { "retry-after": "1" };

/** Refuses the first requests, so many. */
function refusing(times: number): Spoil {
  let left = times;
  return () => left-- > 0 ? say(429, { code: "limited" }, REFUSAL) : undefined;
}

Deno.test("a request that a limit refuses in production is sent again when its time has come", async () => {
  await using setting = setUp({ live: true, spoil: refusing(1) });
  const started = performance.now();
  const { answer } = await setting.session.send(CALL, PURPOSE);
  equal(answer.status, 200);
  equal(setting.got.length, 2);
  equal(performance.now() - started >= 1_000, true);
});

Deno.test("a service that never stops refusing is asked three times", async () => {
  await using setting = setUp({ live: true, spoil: refusing(Infinity) });
  const { answer } = await setting.session.send(CALL, PURPOSE);
  equal(answer.status, 429);
  equal(setting.got.length, 3);
});

Deno.test("a wait of an hour is not waited for, nor is a service of one's own", async () => {
  const never: Spoil = () => say(429, { code: "limited" }, { "retry-after": "3600" });
  await using patient = setUp({ live: true, spoil: never });
  await using own = setUp({ spoil: refusing(Infinity) });
  for (const { session } of [patient, own]) await session.send(CALL, PURPOSE);
  deepEqual([patient.got.length, own.got.length], [1, 1]);
});
