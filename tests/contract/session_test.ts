/** @module A session with a service that the harness did not start, and differences between two services. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { differences } from "../../contract/against.ts";
import type { Answer, Call } from "../../contract/exchange.ts";
import { propertiesTier } from "../../contract/tiers/properties.ts";
import { type Override, respond, sendAlive, setUp, test } from "./small_service.ts";

const ALIVE: Call = { method: "GET", path: "/api/alive" };

function refusing(times: number, seconds = 1): Override {
  let left = times;
  return () =>
    left-- > 0 ? respond(429, { code: "limited" }, { "retry-after": String(seconds) }) : undefined;
}

Deno.test("send() repeats a refused request in production after Retry-After, at most twice", async () => {
  await using once = setUp({ live: true, override: refusing(1) });
  await using always = setUp({ live: true, override: refusing(Infinity) });
  await using anHour = setUp({ live: true, override: refusing(Infinity, 3_600) });
  await using local = setUp({ override: refusing(Infinity) });
  const started = performance.now();
  const settings = [once, always, anHour, local];
  const sent = await Promise.all(settings.map(({ session }) => session.send(ALIVE, { title: "" })));
  deepEqual(sent.map(({ answer }) => answer.status), [200, 429, 429, 429]);
  deepEqual(settings.map(({ requests }) => requests.length), [2, 3, 1, 1]);
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
    session.report({ check: "case", message: "got 429 instead of 400", exchange });
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

Deno.test("every request except conditional ones goes to both services", async () => {
  await using other = setUp({ override: () => respond(200, { more: true }) });
  await using one = setUp({ against: other.url });
  await using alone = setUp({ against: "http://127.0.0.1:9" });
  await sendAlive(one.session);
  await one.session.send({ ...ALIVE, headers: [["If-None-Match", '"a"']] }, { title: "own tag" });
  await sendAlive(alone.session);
  deepEqual(other.requests.length, 1);
  deepEqual([...one.findings, ...alone.findings].map(({ check, message }) => [check, message]), [
    ["differential", "the bodies differ"],
    ["differential", "status 200 here, no answer there"],
  ]);
});

function answerOf(text: string, headers: Record<string, string> = {}, status = 200): Answer {
  const body = new TextEncoder().encode(text);
  return { status, headers: new Headers(headers), body, text, ms: 1 };
}

Deno.test("differences() ignores origins, ids and dates, and nothing else", () => {
  const [one, other] = ["https://a.example", "http://127.0.0.1:8000"].map((origin) =>
    answerOf(`{"docs":"${origin}/docs"}`, {
      date: origin,
      "x-request-id": origin.slice(-1),
      link: `<${origin}/>; rel="canonical"`,
    })
  );
  deepEqual(differences(one!, other), []);
  const plain = answerOf("a", { vary: "Accept" });
  const rows: readonly (readonly [other: Answer, difference: string])[] = [
    [answerOf("a", {}, 404), "status 200 here, 404 there"],
    [answerOf("a"), "header vary only here"],
    [answerOf("a", { vary: "Origin" }), "header vary differs"],
    [answerOf("b", { vary: "Accept" }), "the bodies differ"],
  ];
  for (const [other, difference] of rows) deepEqual(differences(plain, other), [difference]);
});
