/** @module show: everything about one lead, found by any unambiguous end of its id. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { CRM, DAY, dead, delivered, HOUR, MAIL, MINUTE, waiting, withCli } from "./fixture.ts";

Deno.test("show has the content and every attempt", () =>
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
      "    ATTEMPT  AT                                 MS  RESULT",
      "          1  2026-11-21T11:00:00.000Z (1h ago)  40  http_410",
      "",
      `  ${MAIL}  waiting, next attempt 2026-11-21T12:05:00.000Z (in 5m)`,
      "    ATTEMPT  AT                                  MS  RESULT",
      "          1  2026-11-21T11:05:00.000Z (55m ago)  30  http_503",
      "",
    ]);
  }));

Deno.test("show as JSON has times by ISO 8601", () =>
  withCli(async ({ put, printed, clock }) => {
    const due = clock.now() + HOUR;
    const { id } = await put({ deliveries: { [CRM]: waiting(due), [MAIL]: delivered(due) } });
    const { deliveries, ...lead } = JSON.parse(await printed("show", id, "--json"));
    deepEqual(lead, {
      id,
      receivedAt: "2026-11-21T12:00:00.000Z",
      expiresAt: "2027-02-19T12:00:00.000Z",
      state: "waiting",
      email: "ada@example.com",
      company: "Example GmbH",
      locale: "en",
    });
    deepEqual(deliveries[CRM], {
      state: "waiting",
      due: "2026-11-21T13:00:00.000Z",
      tries: [{ at: "2026-11-21T12:00:00.000Z", durationMs: 30, result: "http_503" }],
    });
    deepEqual(Object.keys(deliveries[MAIL]), ["state", "tries"]);
  }));

Deno.test("show distinguishes a lease, an overdue job and a lead without a target", () =>
  withCli(async ({ put, printed, clock }) => {
    const now = clock.now();
    const cases = [
      [{ [CRM]: waiting(now + 20_000) }, /waiting, under way or due within seconds\n/],
      [{ [CRM]: waiting(now + 20_001) }, /waiting, next attempt .* \(in 20s\)\n/],
      [{ [CRM]: waiting(now) }, /overdue since .*: is the service running\?\n/],
      [{ [CRM]: waiting(now - HOUR) }, /overdue since .* \(1h ago\): is the service running\?\n/],
      [{ [CRM]: { state: "waiting", due: now + HOUR, tries: [] } }, /\(in 1h\)\n$/],
      [{ [CRM]: delivered(now) }, / {2}delivered\n/],
      [{}, /No target was set when it came/],
    ] as const;
    for (const [deliveries, says] of cases) {
      const { id } = await put({ deliveries });
      match(await printed("show", id), says);
    }
  }));

Deno.test("a lead is found by any beginning or end of its id that no other has", () =>
  withCli(async ({ put, printed, run }) => {
    const { id } = await put({ ago: DAY });
    const [one, two] = [await put(), await put()].map((record) => record.id).sort();
    for (
      const text of [id, id.toUpperCase(), id.slice(-8), id.slice(0, -1), id.slice(1), ` ${id}`]
    ) {
      equal((await printed("show", text)).split("\n")[0], id);
    }
    for (const none of ["ffff-no-such", "01234567-89ab-7def-8123-456789abcdef", ""]) {
      const { code, out, err } = await run("show", none);
      deepEqual([code, out], [1, ""]);
      match(err, /^Cannot find lead .*: no id begins or ends with it; list shows them\n$/);
    }
    const both = one!.slice(0, 8);
    equal(
      (await run("show", both)).err,
      `Cannot tell which lead ${both} is: ${one}, ${two} or another one\n`,
    );
  }));
