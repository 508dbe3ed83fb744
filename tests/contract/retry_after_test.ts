/** @module A service in production that asks to wait, by Retry-After in each of its forms. */

import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import type { Clock } from "../../contract/run/pace.ts";
import { retryAfterOf } from "../../contract/lib/retry_after.ts";
import { run } from "../../contract/run/run.ts";
import { runDeno } from "../support/command.ts";
import { type Override, planOf, respond, sendAlive, setUp } from "./small_service.ts";

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
