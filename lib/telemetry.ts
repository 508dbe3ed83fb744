/** @module Whether OpenTelemetry is on. */

/** Where OpenTelemetry's API, version 1, registers its providers; with OTEL_DENO=true Deno does. */
const PROVIDERS = Symbol.for("opentelemetry.js.api.1");

/** Whether Deno exports telemetry. The service has no permission to read its variables. */
export function isTelemetryOn(): boolean {
  return PROVIDERS in globalThis;
}
