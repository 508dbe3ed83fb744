/** @module show: everything about one lead, found by any unambiguous end of its id. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { CRM, DAY, dead, HOUR, MAIL, MINUTE, waiting, withCli } from "./fixture.ts";

Deno.test("show has the content and every try", () =>
  withCli(async ({ put, printed, clock }) => {
    const now = clock.now();
    const { id } = await put({
      ago: 2 * HOUR,
      lead: { plan: "pro", message: "Hello,\n\nwe would like to see it." },
      deliveries: { [CRM]: dead(now - HOUR), [MAIL]: waiting(now + 5 * MINUTE) },
    });
    const out = await printed("show", id);
    deepEqual(
      out.split("\n"),
      [
        id,
        "  state       dead",
        "  came        2026-11-21 10:00:00 UTC (2 h ago)",
        "  kept until  2027-02-19 10:00:00 UTC (in 89 d)",
        "  email       ada@example.com",
        "  company     Example GmbH",
        "  plan        pro",
        "  locale      en",
        "  message",
        "    Hello,",
        "",
        "    we would like to see it.",
        "",
        `  ${CRM}  dead after 1 try`,
        "    TRY  AT                                  TOOK  RESULT",
        "      1  2026-11-21 11:00:00 UTC (1 h ago)  40 ms  http_410",
        "",
        `  ${MAIL}  waiting, next try 2026-11-21 12:05:00 UTC (in 5 m)`,
        "    TRY  AT                                   TOOK  RESULT",
        "      1  2026-11-21 11:05:00 UTC (55 m ago)  30 ms  http_503",
        "",
      ],
    );
  }));

Deno.test("show as JSON has times by ISO 8601", () =>
  withCli(async ({ put, printed, clock }) => {
    const due = clock.now() + HOUR;
    const { id } = await put({ deliveries: { [CRM]: waiting(due) } });
    deepEqual(JSON.parse(await printed("show", id, "--json")), {
      id,
      receivedAt: "2026-11-21T12:00:00.000Z",
      expiresAt: "2027-02-19T12:00:00.000Z",
      state: "waiting",
      email: "ada@example.com",
      company: "Example GmbH",
      locale: "en",
      deliveries: {
        [CRM]: {
          state: "waiting",
          due: "2026-11-21T13:00:00.000Z",
          tries: [{ at: "2026-11-21T12:00:00.000Z", durationMs: 30, result: "http_503" }],
        },
      },
    });
  }));

Deno.test("show tells a lease, an overdue job and a lead without a target", () =>
  withCli(async ({ put, printed, clock }) => {
    const now = clock.now();
    const cases = [
      [{ [CRM]: waiting(now + 9_000) }, /waiting, under way or due within seconds\n/],
      [{ [CRM]: waiting(now - HOUR) }, /overdue since .* \(1 h ago\): is the service running\?\n/],
      [{ [CRM]: { state: "waiting", due: now + HOUR, tries: [] } }, /\(in 1 h\)\n$/],
      [{}, /No target was set when it came/],
    ] as const;
    for (const [deliveries, says] of cases) {
      const { id } = await put({ deliveries });
      match(await printed("show", id), says);
    }
  }));

Deno.test("a lead is found by any beginning or end of its id that no other has", () =>
  withCli(async ({ put, printed }) => {
    const { id } = await put({ ago: DAY });
    await put();
    for (
      const text of [id, id.toUpperCase(), id.slice(-8), id.slice(0, -1), id.slice(1), ` ${id}`]
    ) {
      const out = await printed("show", text);
      equal(out.split("\n")[0], id);
    }
  }));

Deno.test("show fails with exit code 1 where no lead is meant, or several are", () =>
  withCli(async ({ put, run }) => {
    const { id } = await put();
    const other = await put();
    const none = await run("show", "ffff-no-such");
    deepEqual([none.code, none.out], [1, ""]);
    match(none.err, /^Cannot find lead ffff-no-such: no id begins or ends so; see list [^\n]*\n$/);
    equal((await run("show", "01234567-89ab-7def-8123-456789abcdef")).code, 1);
    equal((await run("show", "")).code, 1);
    const both = await run("show", id.slice(0, 8));
    equal(both.code, 1);
    equal(both.err.includes(id) && both.err.includes(other.id), true);
    await put();
    await put();
    match((await run("show", "0")).err, /^Cannot tell which lead 0 is: (\S+, ){2}\S+ and more\n$/);
  }));
