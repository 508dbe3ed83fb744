/** @module A session with a service in production: its limits are waited for, but not for ever. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { faultsOf } from "../../contract/expectation.ts";
import { propertiesTier } from "../../contract/tiers/properties.ts";
import { say, setUp, type Spoil, withFolder } from "./small_service.ts";

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

/** Refuses whoever adds things. */
const limiting: Spoil = ({ path }) =>
  path === "/api/things" ? say(429, { code: "limited" }, REFUSAL) : undefined;

Deno.test("what meets the limit of a service of one's own is judged by nothing else", async () => {
  await using setting = setUp({ limited: true, spoil: limiting });
  const { session, findings } = setting;
  for (const title of ["a thing", "no thing"]) {
    const call = { method: "POST", path: "/api/things", body: "{}" };
    const exchange = await session.send(call, { tier: "cases", title });
    for (const message of faultsOf(exchange.answer, { want: { status: "400" }, ...session.law })) {
      session.report({ check: "case", tier: "cases", message: `${title}: ${message}`, exchange });
    }
  }
  equal(findings.some(({ check }) => check === "case"), false);
  equal(findings.filter(({ check }) => check === "limit_met").length, 2);
});

Deno.test("a limit that no profile tells of is a fault like any other", async () => {
  await using setting = setUp({ spoil: limiting });
  const call = { method: "POST", path: "/api/things", body: "{}" };
  const exchange = await setting.session.send(call, PURPOSE);
  setting.session.report({ check: "case", tier: "cases", message: "got 429", exchange });
  equal(setting.findings.some(({ check }) => check === "case"), true);
});

Deno.test("what has met a limit is neither made small nor kept in the corpus", () =>
  withFolder(async (corpus) => {
    await using setting = setUp({ limited: true, spoil: limiting, corpus, examples: 20 });
    await propertiesTier.run(setting.session);
    equal(setting.findings.some(({ check }) => check === "limit_met"), true);
    deepEqual([...Deno.readDirSync(corpus)], []);
    // One request each for what is valid, broken, and anything.
    equal(setting.got.filter(({ path }) => path === "/api/things").length, 3);
  }));
