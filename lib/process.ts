/**
 * @module Ends the programs of this project: with a message if they cannot start, gracefully on a signal,
 * at once on a second one, and always within seconds, with OpenTelemetry too (docs/architecture.md).
 */

import { forTerminal } from "./terminal_text.ts";

export const EXIT_CONFIG = 2;

/** Whether OpenTelemetry's API, version 1, has its providers: with OTEL_DENO=true Deno registers them. */
export function isTelemetryOn(): boolean {
  return Symbol.for("opentelemetry.js.api.1") in globalThis;
}

/** Runs a step of the start. A failure is printed after `what` ("Cannot X") and ends the process. */
export async function orExit<T>(
  step: () => T | Promise<T>,
  { code = 1, what }: { readonly code?: number; readonly what?: string } = {},
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const { message } = error as Error;
    // deno-lint-ignore no-console -- there is no log yet
    console.error(forTerminal(what === undefined ? message : `${what}: ${message}`));
    return await exit(code);
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** On Ctrl-C the service gets the signal twice: from the terminal and from `deno task`. */
const SAME_SIGNAL_MS = 100;

const EXPORT_MS = 700;

/**
 * Stops the process on SIGINT and SIGTERM. Exit status: 0; with OpenTelemetry on 143, or 137 if the
 * last export took too long; 137 on a second signal.
 *
 * @param stop runs first, in bounded time
 */
export function stopOnSignal(stop: () => Promise<void>): void {
  const kill = () => Deno.kill(Deno.pid, "SIGKILL"); // needs no permission: its own process
  let since: number | undefined;
  const onSignal = async () => {
    if (since !== undefined) {
      if (performance.now() - since > SAME_SIGNAL_MS) kill();
      return;
    }
    since = performance.now();
    await stop().catch(() => {});
    if (!isTelemetryOn()) Deno.exit();
    for (const signal of SIGNALS) Deno.removeSignalListener(signal, onSignal);
    setTimeout(kill, EXPORT_MS);
    Deno.kill(Deno.pid, "SIGTERM");
  };
  for (const signal of SIGNALS) Deno.addSignalListener(signal, onSignal);
}

/** Ends the process with an exit code; if `Deno.exit` blocks, a watchdog thread does, by SIGKILL. */
export function exit(code: number): Promise<never> {
  // Not in an async function: `deno run --watch` would not notice the end (Deno 2.9).
  if (!isTelemetryOn()) Deno.exit(code);
  const program =
    `setTimeout(() => Deno.kill(Deno.pid, "SIGKILL"), ${EXPORT_MS}); postMessage("");`;
  const url = `data:text/javascript,${encodeURIComponent(program)}`;
  const watchdog = new Worker(url, { type: "module" });
  const started = new Promise((resolve) => watchdog.onmessage = resolve);
  return within(1_000, started).then(() => Deno.exit(code));
}

/** Resolves when the work has settled, or after `ms` milliseconds. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))]).catch(() => {});
}
