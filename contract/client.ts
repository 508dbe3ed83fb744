/**
 * @module Sends requests by `fetch`, without retries or redirects. The raw tier sends what fetch
 * refuses: TRACE, CONNECT and malformed messages.
 */

import { CannotRun } from "./cannot_run.ts";
import type { Answer, Call } from "./exchange.ts";

/** The service does not answer. */
export class UnreachableError extends CannotRun {
  override readonly name = "UnreachableError";
  constructor(message: string, readonly call: Call) {
    super(message);
  }
}

/** Longer than the service may take: 10 s to receive a body and 30 s to answer a lead. */
const TIMEOUT_MS = 45_000;

/**
 * Sends a request and reads the whole answer.
 *
 * @param base an origin without trailing slash
 * @throws {UnreachableError} if there is no answer
 */
export async function send(base: string, call: Call): Promise<Answer> {
  const started = performance.now();
  let response: Response;
  let body: Uint8Array<ArrayBuffer>;
  try {
    response = await fetch(base + call.path, {
      method: call.method,
      headers: new Headers((call.headers ?? []).map(([name, value]) => [name, value])),
      body: call.body ?? null,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    body = new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw new UnreachableError(`Cannot reach ${base}${call.path}: ${reasonOf(error)}`, call);
  }
  return {
    status: response.status,
    headers: response.headers,
    body,
    text: new TextDecoder().decode(body),
    ms: performance.now() - started,
  };
}

/** Why a service is unreachable. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${TIMEOUT_MS / 1_000} s`;
  const cause = error.cause instanceof Error ? error.cause.message : "";
  const isRefused = /refused/i.test(`${error.message} ${cause}`);
  return isRefused ? "nothing answers there" : cause || error.message;
}
