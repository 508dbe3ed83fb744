/** @module Whether OpenTelemetry is on. */

/** Where OpenTelemetry's API, version 1, registers its providers; with OTEL_DENO=true Deno does. */
const PROVIDERS = Symbol.for("opentelemetry.js.api.1");

/** Whether Deno exports telemetry. The service has no permission to read its variables. */
export function isTelemetryOn(): boolean {
  return PROVIDERS in globalThis;
}

/** Imports the metrics only if OpenTelemetry is on, which saves 5 ms and a megabyte otherwise. */
export async function loadMetrics(): Promise<typeof import("./metrics.ts") | undefined> {
  return isTelemetryOn() ? await import("./metrics.ts") : undefined;
}
