/** @module stats: counts that add up. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { CRM, DAY, dead, delivered, HOUR, MAIL, waiting, withCli } from "./fixture.ts";

Deno.test("stats counts by state, plan, locale, day and target, as JSON and as tables", () =>
  withCli(async ({ put, clock, printed }) => {
    const now = clock.now();
    await put({ ago: 40 * DAY, lead: { locale: "de" } });
    const { id } = await put({
      ago: 2 * DAY,
      lead: { plan: "pro" },
      deliveries: { [CRM]: dead(now), [MAIL]: waiting(now + HOUR) },
    });
    await put({ ago: HOUR, deliveries: { [CRM]: waiting(now + HOUR) } });
    await put({ deliveries: { [CRM]: delivered(now) } });
    deepEqual(JSON.parse(await printed("stats", "--json")), {
      leads: 4,
      states: { waiting: 1, delivered: 1, dead: 1, stored: 1 },
      plans: { none: 3, pro: 1 },
      locales: { de: 1, en: 3 },
      days: { "2026-10-12": 1, "2026-11-19": 1, "2026-11-21": 2 },
      targets: {
        [CRM]: { waiting: 1, delivered: 1, dead: 1 },
        [MAIL]: { waiting: 1, delivered: 0, dead: 0 },
      },
      oldestWaiting: { id, receivedAt: "2026-11-19T12:00:00.000Z", ageSeconds: 172_800 },
    });
    const filtered = JSON.parse(await printed("stats", "--json", "--state", "delivered"));
    deepEqual([filtered.leads, filtered.oldestWaiting], [1, null]);
    deepEqual((await printed("stats", "--since", "3d")).split("\n"), [
      "3 leads",
      "",
      "STATE      LEADS",
      "waiting        1",
      "delivered      1",
      "dead           1",
      "stored         0",
      "",
      "PLAN  LEADS",
      "pro       1",
      "none      2",
      "",
      "LOCALE  LEADS",
      "en          3",
      "",
      "DAY         LEADS",
      "2026-11-19      1",
      "2026-11-21      2",
      "",
      "TARGET                        DELIVERED  WAITING  DEAD",
      "webhook:crm.example:1a2b3c4d          1        1     1",
      "smtp:mail.example:99aa00ff            0        1     0",
      "",
      `The oldest waiting lead, ${id}, came 2d ago.`,
      "",
    ]);
    equal(await printed("stats", "--plan", "hosted"), "0 leads\n");
    for (let n = 1; n <= 31; n++) await put({ ago: n * DAY });
    equal((await printed("stats")).match(/^20\d\d-\d\d-\d\d +\d+$/gm)!.length, 30);
  }));
