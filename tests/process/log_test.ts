/**
 * @module The service with its log on a pipe that is not read. `tests/leads/line_writer_test.ts` covers
 * dropped lines and a reader that is gone.
 */

import { ok, strictEqual as equal } from "node:assert/strict";
import { postLead } from "../support/post_lead.ts";
import { type Service, withRunningService } from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";

const LONGEST_STOP_MS = 5_000;

/** A line each: more than fits into a pipe. */
const LEADS = 1_000;

/** Runs a test with a service whose log is unread, after posting leads in batches of fifty. */
function withUnread(test: (service: Service) => Promise<void>): Promise<void> {
  const env = { LEAD_RATE_LIMIT: "10000/10m", LEAD_ATTEMPT_LIMIT: "10000/1m" };
  return withRunningService(
    async (service) => {
      for (let sent = 0; sent < LEADS; sent += 50) {
        await Promise.all(Array.from({ length: 50 }, async (_, n) => {
          const response = await postLead(service.url, { ...LEAD, company: `Company ${sent + n}` });
          equal(response.status, 200);
          await response.body?.cancel();
        }));
      }
      await test(service);
    },
    env,
    { stdout: "unread" },
  );
}

Deno.test("with a stalled log reader the service responds and stops in time", () =>
  withUnread(async (service) => {
    const began = performance.now();
    equal(await service.end(), 0);
    ok(performance.now() - began < LONGEST_STOP_MS);
  }));

Deno.test("queued log lines are written at the stop if the reader is back", () =>
  withUnread(async (service) => {
    const stopped = service.end();
    const text = await new Response(service.unread).text();
    equal(await stopped, 0);
    const lines = text.split("\n").filter((line) => line.startsWith("{"));
    const events = lines.map((line) => JSON.parse(line).event);
    equal(events.length, LEADS + 1);
    equal(events.at(-1), "server.stopping");
  }));
