/**
 * @module The real service with its log on a pipe that is not read: it goes on answering, and stops in
 * time. What is dropped and counted, and a reader that has gone, are in `tests/leads/line_writer_test.ts`.
 */

import { ok, strictEqual as equal } from "node:assert/strict";
import { postLead } from "../support/post_lead.ts";
import { type Service, withRunningService } from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";

const LONGEST_STOP_MS = 5_000;

/** A line each: more than fits into a pipe. */
const LEADS = 1_000;

/** Runs a test with a service whose standard output only the test reads, after so many leads. */
function withUnread(
  test: (service: Service, stdout: ReadableStream<Uint8Array>) => Promise<void>,
): Promise<void> {
  const env = { LEAD_RATE_LIMIT: "10000/10m", LEAD_ATTEMPT_LIMIT: "10000/1m" };
  return withRunningService((service) => test(service, service.unread!), env, { stdout: "unread" });
}

/** Posts leads, fifty at a time; none may wait for the log. */
async function postLeads(url: string): Promise<void> {
  for (let sent = 0; sent < LEADS; sent += 50) {
    await Promise.all(Array.from({ length: 50 }, async (_, n) => {
      const response = await postLead(url, { ...LEAD, company: `Company ${sent + n}` });
      equal(response.status, 200);
      await response.body?.cancel();
    }));
  }
}

Deno.test("while the reader of its log is stalled, the service answers and stops in time", () =>
  withUnread(async (service) => {
    await postLeads(service.url);
    const began = performance.now();
    equal(await service.end(), 0);
    ok(performance.now() - began < LONGEST_STOP_MS);
  }));

Deno.test("log lines that wait at the stop are written if the reader is back", () =>
  withUnread(async (service, stdout) => {
    await postLeads(service.url);
    const stopped = service.end();
    let text = "";
    for await (const chunk of stdout.pipeThrough(new TextDecoderStream())) text += chunk;
    equal(await stopped, 0);
    const lines = text.split("\n").filter((line) => line.startsWith("{"));
    const events = lines.map((line) => JSON.parse(line).event);
    equal(events.length, LEADS + 1);
    equal(events.at(-1), "server.stopping");
  }));
