/**
 * @module The service with its log on a pipe that is not read. `tests/leads/line_writer_test.ts` covers
 * dropped lines and a reader that is gone.
 */

import { ok, strictEqual as equal } from "node:assert/strict";
import { postLead } from "../support/post_lead.ts";
import { withRunningService } from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";

const LONGEST_STOP_MS = 5_000;

/** A line each: more than fits into a pipe. */
const LEADS = 1_000;

Deno.test("a stalled log reader delays no answer and no stop; lines are written once it is back", async () => {
  for (const isBack of [false, true]) {
    await withRunningService(
      async (service) => {
        for (let sent = 0; sent < LEADS; sent += 50) {
          await Promise.all(Array.from({ length: 50 }, async (_, n) => {
            const company = `Company ${sent + n}`;
            const response = await postLead(service.url, { ...LEAD, company });
            equal(response.status, 200);
            await response.body?.cancel();
          }));
        }
        const began = performance.now();
        const stopped = service.end();
        if (!isBack) {
          equal(await stopped, 0);
          ok(performance.now() - began < LONGEST_STOP_MS);
          return;
        }
        const text = await new Response(service.unread).text();
        equal(await stopped, 0);
        const lines = text.split("\n").filter((line) => line.startsWith("{"));
        const events = lines.map((line) => JSON.parse(line).event);
        equal(events.length, LEADS + 1);
        equal(events.at(-1), "server.stopping");
      },
      { LEAD_RATE_LIMIT: "10000/10m", LEAD_ATTEMPT_LIMIT: "10000/1m" },
      { stdout: "unread" },
    );
  }
});
