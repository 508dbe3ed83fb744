/** @module Metrics where measuring fails, in a process that exports them; the rest in tests/process. */

import { strictEqual as equal } from "node:assert/strict";
import { loadMetrics } from "../../leads/telemetry.ts";
import { runDeno } from "../support/command.ts";

const METRICS = new URL("../../leads/metrics.ts", import.meta.url);
const EXIT = new URL("../../config/exit.ts", import.meta.url);

/** An exporter that a process waits for at its end does so for ever. */
const LONGEST_MS = 20_000;

/** Runs a process that measures as told at each export, and exits between the second and the third. */
async function end(measure: string): Promise<string> {
  const program = `
    import { observeBacklog } from "${METRICS}";
    import { exit } from "${EXIT}";
    setTimeout(() => { console.log("exits by itself"); exit(0); }, 1_250);
    observeBacklog(${measure});
  `;
  const { out } = await runDeno(["eval", program], {
    env: {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "console",
      OTEL_METRIC_EXPORT_INTERVAL: "500",
    },
    withinMs: LONGEST_MS,
  });
  return /exits by itself/.exec(out)?.[0] ?? "";
}

Deno.test("metrics are not loaded while OpenTelemetry is off", async () => {
  equal(await loadMetrics(), undefined);
});

const MEASURES = [
  ["fails", `() => Promise.reject(new Error("KV is out of order"))`],
  ["gets no answer", `() => new Promise(() => {})`],
] as const;

for (const [what, measure] of MEASURES) {
  Deno.test(`a process whose queue cannot be measured, because KV ${what}, lives on and ends in time`, async () => {
    equal(await end(measure), "exits by itself");
  });
}
