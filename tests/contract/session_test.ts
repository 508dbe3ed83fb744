/** @module A session with a service that the harness did not start. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Call } from "../../contract/lib/exchange.ts";
import { ruleNamed } from "../../contract/lib/rules.ts";
import { propertiesTier } from "../../contract/tiers/properties.ts";
import { type Override, respond, setUp, test } from "./small_service.ts";

const ALIVE: Call = { method: "GET", path: "/api/alive" };

function refusing(times: number, seconds = 1): Override {
  let left = times;
  return () =>
    left-- > 0 ? respond(429, { code: "limited" }, { "retry-after": String(seconds) }) : undefined;
}

Deno.test("send() repeats a refused request in production after Retry-After, at most twice", async () => {
  await using once = setUp({ live: true, override: refusing(1) });
  await using always = setUp({ live: true, override: refusing(Infinity) });
  await using local = setUp({ override: refusing(Infinity) });
  const started = performance.now();
  const settings = [once, always, local];
  const sent = await Promise.all(settings.map(({ session }) => session.send(ALIVE, { title: "" })));
  deepEqual(sent.map(({ answer }) => answer.status), [200, 429, 429]);
  deepEqual(settings.map(({ requests }) => requests.length), [2, 3, 1]);
  equal(performance.now() - started >= 1_000, true);
});

const limiting: Override = ({ path }) =>
  path === "/api/things" ? respond(429, { code: "limited" }, { "retry-after": "1" }) : undefined;

Deno.test("report() replaces findings over a limit of the profile by limit_met", async () => {
  await using known = setUp({ limited: true, override: limiting });
  await using unknown = setUp({ override: limiting });
  for (const { session } of [known, unknown]) {
    const call = { method: "POST", path: "/api/things", body: "{}" };
    const exchange = await session.send(call, { title: "a thing" });
    session.report(ruleNamed("case"), "got 429 instead of 400", { exchange });
  }
  const checks = ({ findings }: typeof known) => new Set(findings.map(({ check }) => check));
  deepEqual([checks(known).has("case"), checks(known).has("limit_met")], [false, true]);
  deepEqual([checks(unknown).has("case"), checks(unknown).has("limit_met")], [true, false]);
});

test("a property that meets a limit is neither shrunk nor stored", async (corpus) => {
  await using setting = setUp({ limited: true, override: limiting, corpus, examples: 20 });
  await propertiesTier.run(setting.session);
  equal(setting.findings.some(({ check }) => check === "limit_met"), true);
  deepEqual([...Deno.readDirSync(corpus)], []);
  // One request for each of the three properties of bodies.
  equal(setting.requests.filter(({ path }) => path === "/api/things").length, 3);
});
