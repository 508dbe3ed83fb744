/** @module Limits: the fields that tell them, waits in production, and what a run says of refusals. */

import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  rejects,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import type { Clock } from "../../contract/run/pace.ts";
import { retryAfterOf } from "../../contract/lib/retry_after.ts";
import { ruleNamed } from "../../contract/lib/rules.ts";
import { run } from "../../contract/run/run.ts";
import { limitsOf } from "../../contract/service/instances/limit_client.ts";
import { propertiesTier } from "../../contract/tiers/properties.ts";
import { runDeno } from "../support/command.ts";
import { type Override, planOf, respond, sendAlive, setUp, test } from "./small_service.ts";

const CONTRACT = new URL("../../contract/", import.meta.url);

/** RFC 9110 §5.6.7 has this time in its three forms. */
const FORMS = [
  "Sun, 06 Nov 1994 08:49:37 GMT",
  "Sunday, 06-Nov-94 08:49:37 GMT",
  "Sun Nov  6 08:49:37 1994",
];
const NOW = Date.UTC(1994, 10, 6, 8, 49, 7);

Deno.test("retryAfterOf() reads seconds and dates, and nothing else", () => {
  const read = (value: string, date?: string) =>
    retryAfterOf(new Headers({ "retry-after": value, ...(date ? { date } : {}) }), NOW);
  deepEqual(read("3600"), { seconds: 3_600, isDate: false });
  for (const form of FORMS) {
    deepEqual(read(form), { seconds: 30, isDate: true }, form);
    deepEqual(read(form, "Sun, 06 Nov 1994 08:49:32 GMT"), { seconds: 5, isDate: true }, form);
    deepEqual(read(form, "Sun, 06 Nov 1994 08:50:00 GMT"), { seconds: 0, isDate: true }, form);
  }
  const ahead = new Headers({ "retry-after": "Monday, 01-Jan-01 00:00:00 GMT" });
  equal(retryAfterOf(ahead, Date.UTC(1999, 11, 31))!.seconds, 367 * 86_400);
  const words = ["soon", "-1", "1.5", "0x1", "5, 10", "Sun, 6 Nov 1994 08:49:37 GMT"];
  const others = ["Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "1994-11-06"];
  for (const value of ["", ...words, ...others]) equal(read(value), undefined, value);
});

/** A clock that no test waits for, and the waits asked of it, in seconds. */
function fakeClock(): { readonly clock: Clock; readonly waits: number[] } {
  const waits: number[] = [];
  let now = 0;
  const wait = (ms: number) => {
    waits.push(Math.round(ms / 1_000));
    now += ms;
    return Promise.resolve();
  };
  return { clock: { now: () => now, wait }, waits };
}

const DATE = "Sun, 06 Nov 1994 08:49:07 GMT";

function refusing(times: number, after: string): Override {
  let left = times;
  return ({ path }) =>
    path === "/api/alive" && left-- > 0
      ? respond(429, { code: "limited" }, { "retry-after": after, date: DATE })
      : undefined;
}

Deno.test("in production each form of Retry-After is waited for before the next request", async () => {
  for (const after of ["30", ...FORMS]) {
    const { clock, waits } = fakeClock();
    await using setting = setUp({ live: true, clock, override: refusing(1, after) });
    await sendAlive(setting.session);
    deepEqual([waits, setting.requests.length], [[30], 2], after);
  }
});

Deno.test("a refused request is repeated in production alone, at most twice", async () => {
  for (const [live, waited] of [[true, [30, 30]], [false, []]] as const) {
    const { clock, waits } = fakeClock();
    await using setting = setUp({
      live,
      ...(live ? { clock } : {}),
      override: refusing(Infinity, "30"),
    });
    await sendAlive(setting.session);
    deepEqual([waits, setting.requests.length], [waited, waited.length + 1]);
  }
});

/** Longer than a run waits. */
const LONG = [
  "3600",
  "Sun, 06 Nov 1994 09:49:07 GMT",
  "Sunday, 06-Nov-94 09:49:07 GMT",
  "9".repeat(15),
];

Deno.test("in production a wait that is too long ends the run, without another request", async () => {
  for (const after of LONG) {
    const { clock, waits } = fakeClock();
    await using setting = setUp({ live: true, clock, override: refusing(Infinity, after) });
    await rejects(sendAlive(setting.session), /the service asks to wait \d+ s: run it again after/);
    await rejects(sendAlive(setting.session), { name: "TooLongWait" });
    deepEqual([waits, setting.requests.length], [[], 1], after);

    const before = setting.requests.length;
    const plan = { ...planOf(setting.url, sendAlive), live: true, clock };
    const { tiers, passed, failed } = await run(plan);
    const asked = setting.requests.slice(before).filter(({ path }) => path === "/api/alive");
    deepEqual([asked.length, waits, passed, failed], [1, [], true, false], after);
    const [one, next] = tiers;
    match(
      one!.notes.join(),
      /^not finished: the service asks to wait \d+ s: run it again after that$/,
    );
    match(next!.skipped!, /^the service asks to wait \d+ s/);
  }
});

Deno.test("contract --live says why it ended before its time, and exits as after --time", async () => {
  await using setting = setUp({ override: refusing(Infinity, LONG[1]!) });
  const line = `run -q -P main.ts --url ${setting.url} --generic --live`;
  const { code, out, err } = await runDeno(line.split(" "), { cwd: CONTRACT });
  equal(code, 0, out + err);
  match(out, /^ {2}http .*not run: the service asks to wait 3600 s: run it again after that$/m);
  match(out, /^Passed: /m);
  equal(setting.requests.filter(({ path }) => path === "/api/alive").length, 1);
});

Deno.test("requests over a limit are reported with what to do", async () => {
  await using setting = setUp({
    override: ({ path }) => path === "/api/alive" ? respond(429, {}) : undefined,
  });
  const { open, advice } = await run(planOf(setting.url, sendAlive));
  ok(open.length > 0);
  match(advice!, /which were not judged: raise them, or use --live/);
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
