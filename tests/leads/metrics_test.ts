/** @module Metrics whose measurement fails, in a process that exports them. */

import { match } from "node:assert/strict";
import { runDeno } from "../support/command.ts";

const METRICS = new URL("../../leads/metrics.ts", import.meta.url);
const EXIT = new URL("../../lib/process.ts", import.meta.url);

const MEASURES = [
  ["fails", `() => Promise.reject(new Error("KV is out of order"))`],
  ["gets no answer", `() => new Promise(() => {})`],
] as const;

for (const [title, measure] of MEASURES) {
  Deno.test(`a process whose measurement ${title} keeps running and exits in time`, async () => {
    const program = `
      import { observeBacklog } from "${METRICS}";
      import { exit } from "${EXIT}";
      setTimeout(() => { console.log("exits"); exit(0); }, 650); // between two exports
      observeBacklog(${measure});
    `;
    const { out } = await runDeno(["eval", program], {
      env: {
        OTEL_DENO: "true",
        OTEL_EXPORTER_OTLP_PROTOCOL: "console",
        OTEL_METRIC_EXPORT_INTERVAL: "250",
      },
      withinMs: 20_000,
    });
    match(out, /^exits$/m);
  });
}
