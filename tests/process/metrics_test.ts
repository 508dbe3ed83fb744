/** @module Metrics and traces of the process, configured as in docs/operate.md: what they contain and omit. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { postLead } from "../support/post_lead.ts";
import { withReceiver } from "../support/receiver.ts";
import { freePort, type Service, withRunningService } from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";
import { until } from "../support/until.ts";
import { runDeno } from "../support/command.ts";

const GUIDE = await Deno.readTextFile(new URL("../../docs/operate.md", import.meta.url));
const JSON_TYPE = { "content-type": "application/json" };
const TERMINATED = 128 + 15;

const OPENTELEMETRY = {
  OTEL_DENO: "true",
  OTEL_EXPORTER_OTLP_PROTOCOL: "console",
  OTEL_METRIC_EXPORT_INTERVAL: "200",
};

/** An invalid baggage header must not block the request, with this setting from docs/operate.md. */
async function assertResponds({ url }: Service, setting: string): Promise<void> {
  ok(GUIDE.includes(`\`${setting}\``));
  const options = { headers: { baggage: "a=%" }, signal: AbortSignal.timeout(5_000) };
  const response = await fetch(`${url}/contact`, options);
  equal(response.status, 200);
  await response.body?.cancel();
}

Deno.test("OTEL_DENO=true measures leads, rejections, attempts and the queue, without personal data", () =>
  withReceiver(
    (receiver) =>
      withRunningService(async (service) => {
        await assertResponds(service, "OTEL_DENO_TRACING=false");
        // Delivered, dead, retried, invalid.
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
        const missing = () => expected.filter((metric) => !metric.test(plain(service)));
        await until("all metrics", () => missing().length === 0, 10_000).catch(() => {});
        deepEqual(missing(), []);
        equal(await service.end(), TERMINATED);
        equal(/ada@example|^SPAN /m.test(plain(service)), false);
      }, { ...OPENTELEMETRY, OTEL_DENO_TRACING: "false", LEAD_TARGETS: receiver.url }),
    (n) => new Response(null, { status: [204, 410, 503][n] ?? 503 }),
  ));

Deno.test("traces contain no target URL, no lead and no client address", () =>
  withReceiver((receiver) =>
    withRunningService(async (service) => {
      await assertResponds(service, "OTEL_PROPAGATORS=tracecontext");
      const trace = { traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01` };
      const response = await fetch(`${service.url}/api/lead`, {
        method: "POST",
        headers: { ...JSON_TYPE, "x-forwarded-for": "203.0.113.7", ...trace },
        body: JSON.stringify({ ...LEAD, message: "secret-message" }),
      });
      deepEqual(await response.json(), { ok: true, delivered: false });
      equal(await service.end(), TERMINATED); // exports the last spans
      const output = plain(service);
      equal([...output.matchAll(/^SPAN .* Client /gm)].length, 3);
      match(output, /^SPAN POST \[1{32}\/.* Server /m);
      deepEqual(output.match(/secret-\S*|ada@example|203\.0\.113\.7/g) ?? [], []);
      equal(receiver.received.length, 2);
      ok(receiver.received.every(({ headers }) => !("traceparent" in headers)));
    }, {
      ...OPENTELEMETRY,
      OTEL_PROPAGATORS: "tracecontext",
      TRUSTED_PROXY_HOPS: "1",
      LEAD_TARGET_HEADERS: "channel:Authorization=Bearer%20secret-header",
      LEAD_TARGETS: [
        `${receiver.url}/secret-path?token=secret-query`,
        `channel=slack+${receiver.url}/secret-of-a-channel`,
        `http://127.0.0.1:${freePort()}/secret-unreachable`,
      ].join(" "),
    })
  ));

Deno.test("on Deno Deploy the log uses `console`, and pages need no database", () =>
  withRunningService(async (service) => {
    ok((await (await fetch(`${service.url}/`)).text()).includes("<html"));
    await service.end();
    // Only `console` output is exported as log records.
    match(service.output(), /^LOG .*server\.stopping/m);
  }, {
    DENO_DEPLOY: "true",
    DENO_KV_DEFAULT_PATH: "http://127.0.0.1:9",
    DENO_KV_ACCESS_TOKEN: "a-token-of-the-tests",
    ...OPENTELEMETRY,
  }));

/** The output without colours; the exporter ignores NO_COLOR. */
function plain(service: Service): string {
  // deno-lint-ignore no-control-regex -- colours are control characters
  return service.output().replace(/\u001b\[[\d;]*m/g, "");
}

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
