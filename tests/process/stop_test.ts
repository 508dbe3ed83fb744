/** @module Every stop ends within seconds and answers requests in flight, with and without telemetry. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { postLead } from "../support/post_lead.ts";
import { leadRequest, RawClient } from "../support/raw_client.ts";
import { withRawReceiver } from "../support/raw_receiver.ts";
import { startHoldingReceiver, withReceiver } from "../support/receiver.ts";
import {
  freePort,
  runToItsEnd,
  type Service,
  startService,
  withFolder,
  withRunningService,
} from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";
import { pause, until } from "../support/until.ts";

const LONGEST_STOP_MS = 5_000;
const KILLED = 128 + 9;
const TERMINATED = 128 + 15;

/** Stops a service, by SIGKILL if it does not stop in time. */
async function stop(service: Service, signal: Deno.Signal = "SIGTERM") {
  const began = performance.now();
  const force = setTimeout(() => service.end("SIGKILL"), 3 * LONGEST_STOP_MS);
  const code = await service.end(signal);
  clearTimeout(force);
  return { code, ms: performance.now() - began };
}

/** Signals during a request: at once, and later; and the exit code. */
const STOPS: readonly (readonly [Deno.Signal[], later: Deno.Signal | undefined, code: number])[] = [
  [["SIGTERM"], undefined, 0],
  [["SIGINT", "SIGTERM"], undefined, 0], // within milliseconds, as by Ctrl-C in `deno task`
  [["SIGINT"], "SIGTERM", KILLED],
  [["SIGTERM"], "SIGINT", KILLED],
];

Deno.test("the first signal lets requests in flight finish, a second one ends the service at once", () =>
  Promise.all(
    STOPS.map(async ([signals, later, expected]) => {
      await using receiver = startHoldingReceiver();
      const { url, arrived, release } = receiver;
      await withRunningService(async (service) => {
        const answer = postLead(service.url).then((response) => response.json())
          .catch(() => "none");
        await arrived(1, 20_000);
        const stops = signals.map((signal) => stop(service, signal));
        await until("it stops", () => service.output().includes("server.stopping"), 20_000);
        // Longer than signals count as the same, or than the stop waits for deliveries alone.
        await pause(later === undefined ? 1_200 : 300);
        if (later === undefined) release();
        else stops.push(stop(service, later));
        const { code, ms } = (await Promise.all(stops)).at(-1)!;
        const what = `${signals} ${later}: ${ms} ms`;
        equal(code, expected, what);
        ok(ms < (later === undefined ? LONGEST_STOP_MS : 500), what);
        deepEqual(await answer, later ? "none" : { ok: true, delivered: true }, what);
      }, { LEAD_TARGETS: url, LEAD_INLINE_TIMEOUT: "10s" });
    }),
  ).then(() => {}));

Deno.test("a lead whose body is incomplete when the service stops is answered 502", () =>
  withRunningService(async (service) => {
    const client = await RawClient.connect(service.port);
    const request = leadRequest(JSON.stringify(LEAD), "").slice(0, -9);
    const waiting = await client.ask(request.replace("\r\n", "\r\nExpect: 100-continue\r\n"));
    equal(waiting.status, 100, "the body is being read");
    const ended = service.end("SIGTERM");
    const { status, body } = await client.answer();
    deepEqual([status, JSON.parse(body).error.code], [502, "lead_not_stored"]);
    client.close();
    equal(await ended, 0);
  }));

function stopUnderLoad(env: Record<string, string>) {
  return withFolder(async (folder) => {
    const service = await startService(folder, { LEAD_RATE_LIMIT: "10000/10m", ...env });
    let stopped = false;
    async function keepPosting(sender: number): Promise<void> {
      for (let n = 0; !stopped; n++) {
        const lead = { ...LEAD, company: `Company ${sender}-${n}` };
        const response = await postLead(service.url, lead).catch(() => undefined);
        await response?.body?.cancel();
        if (response === undefined) await pause(10);
      }
    }
    const posting = [1, 2, 3].map(keepPosting);
    await pause(200);
    const done = await stop(service);
    stopped = true;
    await Promise.all(posting);
    return done;
  });
}

/** Exit codes of a stop and of a failed start; an export to a hanging collector is cut off. */
const COLLECTORS = [
  ["answers", [TERMINATED], 2],
  ["refuses", [TERMINATED], 2],
  ["hangs", [TERMINATED, KILLED], KILLED],
] as const;

for (const [what, codes, failed] of COLLECTORS) {
  Deno.test(`with metrics to a collector that ${what}, stop and failed start end in time`, () => {
    async function test(url: string): Promise<void> {
      const env = { OTEL_DENO: "true", OTEL_EXPORTER_OTLP_ENDPOINT: url };
      // An export is always in flight; `metrics_test.ts` ends between two of them.
      const often = { OTEL_DENO_TRACING: "false", OTEL_METRIC_EXPORT_INTERVAL: "1" };
      const { code: stopped, ms } = await stopUnderLoad({ ...env, ...often });
      ok(codes.some((one) => one === stopped), `exit code ${stopped} after ${ms} ms`);
      ok(ms < LONGEST_STOP_MS, `${ms} ms`);
      const began = performance.now();
      const invalid = { ...env, PORT: "none" };
      const { code, output } = await withFolder((folder) => runToItsEnd(folder, invalid));
      match(output, /PORT/);
      equal(code, failed);
      ok(performance.now() - began < LONGEST_STOP_MS);
    }
    if (what === "answers") return withReceiver(({ url }) => test(url));
    if (what === "refuses") return test(`http://127.0.0.1:${freePort()}`);
    return withRawReceiver(({ port }) => test(`http://127.0.0.1:${port}`));
  });
}

/** Their lines are more than a pipe holds. */
const LEADS = 500;

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
