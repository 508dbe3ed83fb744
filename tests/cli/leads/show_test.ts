/** @module show and stats. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { CRM, DAY, dead, delivered, HOUR, MAIL, MINUTE, waiting, withCli } from "./fixture.ts";

Deno.test("show prints the content and every attempt, as text and as JSON", () =>
  withCli(async ({ put, printed, clock }) => {
    const now = clock.now();
    const { id } = await put({
      ago: 2 * HOUR,
      lead: { plan: "pro", message: "Hello,\n\nwe would like to see it." },
      deliveries: { [CRM]: dead(now - HOUR), [MAIL]: waiting(now + 5 * MINUTE) },
    });
    deepEqual((await printed("show", id)).split("\n"), [
      id,
      "  state       dead",
      "  received    2026-11-21T10:00:00.000Z (2h ago)",
      "  kept until  2027-02-19T10:00:00.000Z (in 89d)",
      "  email       ada@example.com",
      "  company     Example GmbH",
      "  plan        pro",
      "  locale      en",
      "  message",
      "    Hello,",
      "",
      "    we would like to see it.",
      "",
      `  ${CRM}  dead after 1 attempt`,
      "    ATTEMPT  AT                        AGO     MS  RESULT",
      "          1  2026-11-21T11:00:00.000Z  1h ago  40  http_410",
      "",
      `  ${MAIL}  waiting, next attempt 2026-11-21T12:05:00.000Z (in 5m)`,
      "    ATTEMPT  AT                        AGO      MS  RESULT",
      "          1  2026-11-21T11:05:00.000Z  55m ago  30  http_503",
      "",
    ]);
    const tried = (time: string, durationMs: number, result: string) => ({
      tries: [{ at: `2026-11-21T${time}:00.000Z`, durationMs, result }],
    });
    deepEqual(JSON.parse(await printed("show", id, "--json")), {
      id,
      receivedAt: "2026-11-21T10:00:00.000Z",
      expiresAt: "2027-02-19T10:00:00.000Z",
      state: "dead",
      email: "ada@example.com",
      company: "Example GmbH",
      plan: "pro",
      locale: "en",
      message: "Hello,\n\nwe would like to see it.",
      deliveries: {
        [CRM]: { state: "dead", ...tried("11:00", 40, "http_410") },
        [MAIL]: {
          state: "waiting",
          due: "2026-11-21T12:05:00.000Z",
          ...tried("11:05", 30, "http_503"),
        },
      },
    });
  }));

Deno.test("show says how many attempts between the first and the last are no longer stored", () =>
  withCli(async ({ put, printed }) => {
    const tries = Array(4).fill({ at: 0, durationMs: 1, result: "timeout" });
    const { id } = await put({ deliveries: { [CRM]: { ...dead(1), tries, omitted: 1_230 } } });
    const out = await printed("show", id);
    match(out, / dead after 1,234 attempts\n/);
    match(out, /\n +1 .*\n +2 .*\n {4}… 1,230 more …\n +1,233 .*\n +1,234 /);
    equal(JSON.parse(await printed("show", id, "--json")).deliveries[CRM].omitted, 1_230);
  }));

Deno.test("show distinguishes a lease, an overdue delivery and a lead without a target", () =>
  withCli(async ({ put, printed, clock }) => {
    const now = clock.now();
    const cases = [
      [{ [CRM]: waiting(now + 20_000) }, /waiting, in progress or due within seconds\n/],
      [{ [CRM]: waiting(now + 20_001) }, /waiting, next attempt .* \(in 20s\)\n/],
      [{ [CRM]: waiting(now) }, /overdue since .*: is the service running\?\n/],
      [{ [CRM]: waiting(now - HOUR) }, /overdue since .* \(1h ago\): is the service running\?\n/],
      [{ [CRM]: { state: "waiting", due: now + HOUR, tries: [] } }, /\(in 1h\)\n$/],
      [{ [CRM]: delivered(now) }, / {2}delivered\n/],
      [{}, /No target was configured on arrival: deno task leads send \w{8}\n/],
    ] as const;
    for (const [deliveries, expected] of cases) {
      const { id } = await put({ deliveries });
      match(await printed("show", id), expected);
    }
  }));

Deno.test("show finds a lead by any unambiguous beginning or end of its id", () =>
  withCli(async ({ put, printed, run }) => {
    const { id } = await put({ ago: DAY });
    const [one, two] = [await put(), await put()].map((record) => record.id).sort();
    for (
      const text of [id, id.toUpperCase(), id.slice(-8), id.slice(0, -1), id.slice(1), ` ${id}`]
    ) equal((await printed("show", text)).split("\n")[0], id);
    for (const none of ["ffff-no-such", "01234567-89ab-7def-8123-456789abcdef", ""]) {
      const { code, out, err } = await run("show", none);
      deepEqual([code, out], [1, ""]);
      match(err, /^Cannot find lead .*: no id starts or ends with it; list shows the ids\n$/);
    }
    const both = one!.slice(0, 8);
    equal(
      (await run("show", both)).err,
      `Cannot tell which lead ${both} is: ${one}, ${two} or another one\n`,
    );
  }));

Deno.test("stats counts by state, plan, locale, day and target, as JSON and as tables", () =>
  withCli(async ({ put, clock, printed, leads }) => {
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
      hints: ["1 lead is stored and goes nowhere: deno task leads send --stored"],
    });
    const filtered = JSON.parse(await printed("stats", "--json", "--state", "delivered"));
    deepEqual([filtered.leads, filtered.oldestWaiting], [1, null]);
    equal(
      await printed("stats", "--since", "3d"),
      `3 leads

STATE      LEADS
waiting        1
delivered      1
dead           1
stored         0

PLAN  LEADS
pro       1
none      2

LOCALE  LEADS
en          3

DAY         LEADS
2026-11-19      1
2026-11-21      2

TARGET                        DELIVERED  WAITING  DEAD
webhook:crm.example:1a2b3c4d          1        1     1
smtp:mail.example:99aa00ff            0        1     0

The oldest waiting lead, ${id.slice(-8)}, arrived 2d ago.
`,
    );
    leads.targets = [{ id: "mail", formerId: MAIL }];
    match(
      await printed("stats"),
      /\n\n1 lead is stored .*\n2 deliveries to (\S+), which .*: deno task leads send --from \1\n$/,
    );
    equal(await printed("stats", "--plan", "hosted"), "0 leads\n");
    for (let n = 1; n <= 31; n++) await put({ ago: n * DAY });
    equal((await printed("stats")).match(/^20\d\d-\d\d-\d\d +\d+$/gm)!.length, 30);
  }));
