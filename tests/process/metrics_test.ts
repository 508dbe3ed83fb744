/** @module Metrics as Deno exports them, from the real process. */

import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { postLead } from "../support/post_lead.ts";
import { withReceiver } from "../support/receiver.ts";
import { withRunningService } from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";
import { until } from "../support/until.ts";

const OPENTELEMETRY = {
  OTEL_DENO: "true",
  OTEL_EXPORTER_OTLP_PROTOCOL: "console",
  OTEL_METRIC_EXPORT_INTERVAL: "200",
};

Deno.test("with OTEL_DENO=true leads, refusals, tries and the queue are measured, and nobody is named", () =>
  withReceiver(
    (receiver) =>
      withRunningService(async (service) => {
        // Taken, given up, put off, refused.
        for (const body of [LEAD, { ...LEAD, plan: "pro" }, { ...LEAD, plan: "hosted" }, {}]) {
          await (await postLead(service.url, body)).body?.cancel();
        }
        const expected = [
          /leads\.accepted[^]{0,200}stored=true\} value=3/,
          /leads\.refused[^]{0,200}reason=invalid_lead\} value=1/,
          /leads\.delivered[^]{0,200}value=1/,
          /leads\.dead[^]{0,200}value=1/,
          /leads\.delivery\.duration[^]{0,900}result=ok/,
          /outbox\.depth[^]{0,200}value=1/,
          /outbox\.oldest_age[^]{0,200}value=0\.\d*[1-9]/,
        ];
        await until(
          "all metrics",
          () => expected.every((metric) => metric.test(plain(service.output()))),
          10_000,
        ).catch(() => {});
        const output = plain(service.output());
        deepEqual(expected.filter((metric) => !metric.test(output)), []);
        ok(!output.includes("ada@example"), "nobody is named");
      }, { ...OPENTELEMETRY, LEAD_TARGETS: receiver.url }),
    (n) => new Response(null, { status: [204, 410, 503][n] ?? 503 }),
  ));

/** The output without colours, which the exporter writes whatever NO_COLOR says. */
function plain(output: string): string {
  // deno-lint-ignore no-control-regex -- colours are control characters
  return output.replace(/\u001b\[[\d;]*m/g, "");
}
