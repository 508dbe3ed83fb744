/** @module What a session says of requests that met a limit of the service. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { ruleNamed } from "../../contract/lib/rules.ts";
import { propertiesTier } from "../../contract/tiers/properties.ts";
import { type Override, respond, setUp, test } from "./small_service.ts";

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
