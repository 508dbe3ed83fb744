/**
 * @module Every stop ends within seconds, whatever telemetry, requests and signals there are: the real
 * process, and real collectors.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { COLLECTORS } from "../support/collectors.ts";
import { postLead } from "../support/post_lead.ts";
import { withReceiver } from "../support/receiver.ts";
import {
  runToItsEnd,
  type Service,
  startService,
  withFolder,
  withRunningService,
} from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";
import { pause } from "../support/until.ts";

const LONGEST_STOP_MS = 6_000;
const KILLED = 128 + 9;
const TERMINATED = 128 + 15;

interface Stop {
  readonly code: number;
  readonly ms: number;
}

/** Stops a service, by force where it does not stop by itself. */
async function stop(service: Service, signal: Deno.Signal = "SIGTERM"): Promise<Stop> {
  const began = performance.now();
  const force = setTimeout(() => service.end("SIGKILL"), 3 * LONGEST_STOP_MS);
  const code = await service.end(signal);
  clearTimeout(force);
  return { code, ms: performance.now() - began };
}

/** Starts a service, has leads come in where they are wanted, and stops it meanwhile. */
function startAndStop(
  env: Record<string, string>,
  { leads }: { readonly leads: boolean },
): Promise<Stop> {
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
    const posting = leads ? [1, 2, 3].map(keepPosting) : [];
    await pause(200);
    const done = await stop(service);
    stopped = true;
    await Promise.all(posting);
    return done;
  });
}

const KINDS = ["answers", "refuses", "hangs"] as const;

for (const kind of KINDS) {
  // To a collector that does not answer nothing may be on its way, or an export that is cut off.
  const codes = kind === "hangs" ? [TERMINATED, KILLED] : [TERMINATED];
  for (const interval of ["1", "20", "200"]) {
    Deno.test(`with metrics every ${interval} ms to a collector that ${kind}, every stop ends in time`, () =>
      COLLECTORS[kind](async (url) => {
        const env = {
          OTEL_DENO: "true",
          OTEL_DENO_TRACING: "false",
          OTEL_METRIC_EXPORT_INTERVAL: interval,
          OTEL_EXPORTER_OTLP_ENDPOINT: url,
        };
        for (const leads of [false, true]) {
          const { code, ms } = await startAndStop(env, { leads });
          ok(codes.includes(code), `exit code ${code} after ${ms} ms`);
          ok(ms < LONGEST_STOP_MS, `${ms} ms`);
        }
      }));
  }
}

Deno.test("without telemetry a stop while leads come in ends in time, with exit code 0", async () => {
  const { code, ms } = await startAndStop({}, { leads: true });
  equal(code, 0);
  ok(ms < LONGEST_STOP_MS, `${ms} ms`);
});

/** Runs a test with a service that has a request in flight for 2 s. */
function withRequestInFlight(
  test: (service: Service, answer: Promise<Response>) => Promise<void>,
): Promise<void> {
  return withReceiver(
    (receiver) =>
      withRunningService(async (service) => {
        const answer = postLead(service.url);
        await receiver.arrived(1);
        await test(service, answer);
      }, { LEAD_TARGETS: receiver.url, LEAD_INLINE_TIMEOUT: "10s" }),
    async () => {
      await pause(2_000);
      return new Response();
    },
  );
}

for (const second of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`a second signal, ${second}, ends the service at once`, () =>
    withRequestInFlight(async (service, answer) => {
      const failed = answer.then((response) => response.status, () => "no answer");
      void service.end("SIGTERM");
      await pause(300);
      const { code, ms } = await stop(service, second);
      deepEqual([await failed, code], ["no answer", KILLED]);
      ok(ms < 1_000, `${ms} ms`);
    }));
}

Deno.test("the same signal twice within milliseconds, as by Ctrl-C under `deno task`, is one", () =>
  withRequestInFlight(async (service, answer) => {
    void service.end("SIGINT");
    await pause(10);
    const { code } = await stop(service, "SIGINT");
    deepEqual(await (await answer).json(), { ok: true, delivered: true });
    equal(code, 0);
  }));

for (const kind of ["answers", "hangs"] as const) {
  Deno.test(`with metrics to a collector that ${kind}, a start that fails ends in time`, () =>
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
