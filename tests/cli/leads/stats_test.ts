/** @module stats: counts that add up, and a chart. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import {
  CRM,
  DAY,
  dead,
  delivered,
  HOUR,
  MAIL,
  type TestCli,
  waiting,
  withCli,
} from "./fixture.ts";

async function putSome({ put, clock }: TestCli): Promise<string> {
  const now = clock.now();
  await put({ ago: 40 * DAY, lead: { locale: "de" } });
  const { id } = await put({
    ago: 2 * DAY,
    lead: { plan: "pro" },
    deliveries: { [CRM]: dead(now), [MAIL]: waiting(now + HOUR) },
  });
  await put({ ago: HOUR, deliveries: { [CRM]: waiting(now + HOUR) } });
  await put({ deliveries: { [CRM]: delivered(now) } });
  return id;
}

Deno.test("stats as JSON", () =>
  withCli(async (cli) => {
    const oldest = await putSome(cli);
    const out = await cli.printed("stats", "--json");
    deepEqual(JSON.parse(out), {
      leads: 4,
      states: { waiting: 1, delivered: 1, dead: 1, stored: 1 },
      plans: { none: 3, pro: 1 },
      locales: { de: 1, en: 3 },
      days: { "2026-10-12": 1, "2026-11-19": 1, "2026-11-21": 2 },
      targets: {
        [CRM]: { waiting: 1, delivered: 1, dead: 1 },
        [MAIL]: { waiting: 1, delivered: 0, dead: 0 },
      },
      oldestWaiting: { id: oldest, receivedAt: "2026-11-19T12:00:00.000Z", ageSeconds: 172_800 },
    });
    const filtered = JSON.parse(await cli.printed("stats", "--json", "--state", "delivered"));
    deepEqual([filtered.leads, filtered.oldestWaiting], [1, null]);
  }));

Deno.test("stats for people: tables, the oldest that waits, and the last 30 days", () =>
  withCli(async (cli) => {
    const oldest = await putSome(cli);
    const out = await cli.printed("stats");
    match(out, /^4 leads\n\nSTATE {8}LEADS {2}SHARE\n/);
    match(out, /\nnone {13}3 {3}75 %\n/);
    match(out, new RegExp(`\n${MAIL} +0 +1 +0\n`));
    ok(out.includes(`\nThe oldest that waits came 2 d ago: ${oldest.slice(-8)}\n`));
    const chart = out.slice(out.indexOf("DAY")).split("\n");
    equal(chart[0], "DAY         LEADS  (the last 30 days)");
    equal(chart.length, 1 + 30 + 1);
    equal(chart[1], "2026-10-23      0");
    equal(chart[28], `2026-11-19      1  ${"█".repeat(25)}`);
    equal(chart[30], `2026-11-21      2  ${"█".repeat(50)}`);
  }));

Deno.test("the chart begins with the first lead, ends with --until and fits the terminal", () =>
  withCli(async (cli) => {
    await putSome(cli);
    cli.terminal.columns = 40;
    const out = await cli.printed("stats", "--since", "3d", "--until", "2026-11-20");
    const chart = out.slice(out.indexOf("DAY")).split("\n");
    deepEqual(chart.slice(0, 3), [
      "DAY         LEADS",
      `2026-11-19      1  ${"█".repeat(21)}`,
      "2026-11-20      0",
    ]);
    equal(await cli.printed("stats", "--plan", "hosted"), "0 leads\n");
  }));
