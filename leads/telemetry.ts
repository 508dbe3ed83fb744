/** @module Whether anybody listens to metrics: without a listener their API need not be loaded. */

/** Where OpenTelemetry's API, version 1, looks for who listens. Deno is there with OTEL_DENO=true. */
const LISTENERS = Symbol.for("opentelemetry.js.api.1");

/** The metrics, where somebody listens: 5 ms of the first lead and a megabyte are spared elsewhere. */
export async function loadMetrics(): Promise<typeof import("./metrics.ts") | undefined> {
  return LISTENERS in globalThis ? await import("./metrics.ts") : undefined;
}
