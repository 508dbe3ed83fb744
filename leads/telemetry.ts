/** @module Whether OpenTelemetry is on: without it the API of metrics need not be loaded. */

/** Where OpenTelemetry's API, version 1, registers its providers. Deno is there with OTEL_DENO=true. */
const PROVIDERS = Symbol.for("opentelemetry.js.api.1");

/** Whether Deno exports telemetry. Its own variables are not among those that the service may read. */
export function isTelemetryOn(): boolean {
  return PROVIDERS in globalThis;
}

/** The metrics, if OpenTelemetry is on; without it the first lead saves 5 ms and a megabyte. */
export async function loadMetrics(): Promise<typeof import("./metrics.ts") | undefined> {
  return isTelemetryOn() ? await import("./metrics.ts") : undefined;
}
