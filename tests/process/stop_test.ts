/** @module Every stop ends within seconds and answers requests in flight, with and without telemetry. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { postLead } from "../support/post_lead.ts";
import { withRawReceiver } from "../support/raw_receiver.ts";
import { withReceiver } from "../support/receiver.ts";
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

/** Signals during a request, and the exit code. */
const STOPS: readonly (readonly [
  what: string,
  signals: readonly (readonly [signal: Deno.Signal, afterMs: number])[],
  code: number,
])[] = [
  ["SIGTERM", [["SIGTERM", 0]], 0],
  ["the same within milliseconds, as by Ctrl-C in `deno task`", [["SIGINT", 0], ["SIGINT", 10]], 0],
  ["SIGINT, then SIGTERM", [["SIGINT", 0], ["SIGTERM", 300]], KILLED],
  ["SIGTERM, then SIGINT", [["SIGTERM", 0], ["SIGINT", 300]], KILLED],
];

Deno.test("the first signal lets requests in flight finish, a second one ends the service at once", () =>
  withReceiver(
    (receiver) =>
      Promise.all(STOPS.map(([what, signals, expected]) =>
        withRunningService(async (service) => {
          const path = encodeURIComponent(what);
          const arrived = () => receiver.received.some((one) => one.path.endsWith(path));
          const answer = postLead(service.url).then((response) => response.json(), () => "none");
          await until(what, arrived);
          const ends = signals.map(async ([signal, afterMs]) => {
            await pause(afterMs);
            return await stop(service, signal);
          });
          const { code, ms } = (await Promise.all(ends)).at(-1)!;
          equal(code, expected, what);
          ok(ms < (expected === 0 ? LONGEST_STOP_MS : 500), `${what}: ${ms} ms`);
          deepEqual(await answer, expected === 0 ? { ok: true, delivered: true } : "none", what);
        }, {
          LEAD_TARGETS: `${receiver.url}/${encodeURIComponent(what)}`,
          LEAD_INLINE_TIMEOUT: "10s",
        })
      )).then(() => {}),
    async () => {
      await pause(1_200); // longer than the stop waits for deliveries alone
      return new Response();
    },
  ));

Deno.test("a lead whose body is incomplete when the service stops is answered 502", () =>
  withRunningService(async (service) => {
    const text = new TextEncoder().encode(JSON.stringify(LEAD));
    const rest = Promise.withResolvers<void>();
    const body = ReadableStream.from((async function* () {
      yield text.subarray(0, 9);
      await rest.promise;
      yield text.subarray(9);
    })());
    const headers = { "content-type": "application/json" };
    const answer = fetch(`${service.url}/api/lead`, { method: "POST", headers, body });
    await pause(800); // the request has arrived, on a busy machine too
    const ended = service.end("SIGTERM");
    const response = await answer;
    equal(response.status, 502);
    equal((await response.json()).error.code, "lead_not_stored");
    rest.resolve();
    equal(await ended, 0);
  }));

/** Stops a service while leads are posted. */
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

const COLLECTORS = {
  answers: (test) => withReceiver(({ url }) => test(url)),
  hangs: (test) => withRawReceiver(({ port }) => test(`http://127.0.0.1:${port}`)),
  refuses: (test) => test(`http://127.0.0.1:${freePort()}`),
} satisfies Record<string, (test: (url: string) => Promise<void>) => Promise<void>>;

/** An export to a hanging collector is cut off, if one is in progress. */
const CODES = { answers: [TERMINATED], refuses: [TERMINATED], hangs: [TERMINATED, KILLED] };

for (const [kind, codes] of Object.entries(CODES) as [keyof typeof CODES, number[]][]) {
  Deno.test(`with metrics to a collector that ${kind}, the service stops in time`, () =>
    COLLECTORS[kind](async (url) => {
      const stops = ["1", "200"].map((interval) =>
        stopUnderLoad({
          OTEL_DENO: "true",
          OTEL_DENO_TRACING: "false",
          OTEL_METRIC_EXPORT_INTERVAL: interval,
          OTEL_EXPORTER_OTLP_ENDPOINT: url,
        })
      );
      for (const { code, ms } of await Promise.all(stops)) {
        ok(codes.includes(code), `exit code ${code} after ${ms} ms`);
        ok(ms < LONGEST_STOP_MS, `${ms} ms`);
      }
    }));
}

for (const kind of ["answers", "hangs"] as const) {
  Deno.test(`with metrics to a collector that ${kind}, a failed start ends in time`, () =>
    COLLECTORS[kind]((url) =>
      withFolder(async (folder) => {
        const began = performance.now();
        const { code, output } = await runToItsEnd(folder, {
          OTEL_DENO: "true",
          OTEL_EXPORTER_OTLP_ENDPOINT: url,
          PORT: "none",
        });
        match(output, /PORT/);
        equal(code, kind === "answers" ? 2 : KILLED);
        ok(performance.now() - began < LONGEST_STOP_MS);
      })
    ));
}
