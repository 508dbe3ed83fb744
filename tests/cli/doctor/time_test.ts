/** @module The doctor and clocks that do not agree. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { time } from "../../../cli/doctor/time.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { linesOf, patient } from "../../support/patient.ts";
import { withRawReceiver } from "../../support/raw_receiver.ts";
import { withReceiver } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";

/** Answers as a server whose clock is so many seconds behind this machine's. */
function behind(seconds: number) {
  return () =>
    new Response(null, { headers: { date: new Date(Date.now() - seconds * 1000).toUTCString() } });
}

const CASES = [
  [0, /^ok clock: agrees with 1 of/],
  [5, /^ok /],
  [20, /^warn clock: (?:19|20|21) s ahead of/],
  [-20, /^warn clock: (?:19|20|21) s behind/],
  [400, /^fail clock: (?:399|400|401) s ahead of/],
  [-400, /^fail clock: .* behind/],
] as const;

for (const [seconds, says] of CASES) {
  Deno.test(`a server whose clock is ${seconds} s behind: ${says.source}`, () =>
    withReceiver(async ({ url, received }) => {
      match((await linesOf(time, patient({ LEAD_TARGETS: url })))[0]!, says);
      deepEqual(received.map(({ method, path }) => `${method} ${path}`), ["HEAD /"]);
    }, behind(seconds)));
}

Deno.test("of three servers the middle one counts", () =>
  withReceiver((one) =>
    withReceiver((two) =>
      withReceiver(async (wrong) => {
        const LEAD_TARGETS = [wrong, one, two].map(({ url }) => url).join(" ");
        match((await linesOf(time, patient({ LEAD_TARGETS })))[0]!, /^ok clock: agrees with 3/);
      }, behind(4_000))
    )
  ));

Deno.test("without a server that tells the time, the finding says so", () =>
  withRawReceiver(async ({ port }) => {
    const targets = [
      "smtp://127.0.0.1?from=a@b.example&to=c@d.example",
      `http://127.0.0.1:${port}/`,
    ];
    const clock = new FakeClock();
    const lines = linesOf(time, patient({ LEAD_TARGETS: targets.join(" ") }, { clock }));
    await until("a deadline is set", () => clock.nextIn !== undefined);
    clock.advance(5_000);
    const [line] = await lines;
    equal(line, "warn clock: not compared: no server here tells the time");
  }));
