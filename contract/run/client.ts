/**
 * @module Sends requests by `fetch`, again if the connection is refused, and no more of a kind that
 * got no answer. The raw tier sends what fetch refuses: TRACE, CONNECT and malformed messages.
 */

import { CannotRun } from "../lib/cannot_run.ts";
import type { Answer, Call, Exchange } from "../lib/exchange.ts";
import type { Pace } from "./pace.ts";

export class UnreachableError extends CannotRun {
  override readonly name: string = "UnreachableError";
  /** The request in a run, with an answer of status 0. */
  exchange?: Exchange;
  constructor(message: string, readonly call: Call, readonly reason: string = message) {
    super(message);
  }
  get isTimeout(): boolean {
    return this.reason.startsWith(LATE);
  }
}

const LATE = "no answer within";

/** The run is over, or what is left of a tier cannot be tried. */
export class EndedError extends Error {
  override readonly name = "EndedError";
}

export class GoneError extends UnreachableError {
  override readonly name = "GoneError";
}

export interface SendOptions {
  /** Sent too, unless the call has a header of that name. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Renews headers that a 401 refuses; false if it cannot. */
  readonly renew?: () => Promise<boolean>;
  readonly timeoutMs?: number;
  /** Of a service in production: obeyed before the request. */
  readonly pace?: Pace;
}

/** Longer than the project's service may take: 10 s to receive a body and 30 s to answer a lead. */
export const TIMEOUT_MS = 45_000;

/** Answers that need not end: events, lines of JSON, pictures one after another. */
const STREAM =
  /^(?:text\/event-stream|application\/(?:x-)?(?:ndjson|jsonl|json-seq)|multipart\/x-)/i;

/** How much of an answer is read, in bytes, decompressed; and of a stream, and for how long. */
const MOST = 16_000_000;
const MOST_OF_STREAM = { bytes: 2_000_000, ms: 2_000 };

/** @throws {UnreachableError} without an answer @throws {TooLongWait} if the service asks for it */
export async function send(
  base: string,
  call: Call,
  { headers = [], timeoutMs = TIMEOUT_MS, pace }: SendOptions = {},
): Promise<Answer> {
  await pace?.turn();
  const started = performance.now();
  try {
    const response = await fetch(base + call.path, {
      method: call.method,
      headers: [...givenHeaders(call, headers), ...call.headers ?? []] as [string, string][],
      body: call.body ?? null,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    pace?.learn(response.headers);
    const { body, isCut } = await readBody(response);
    return {
      status: response.status,
      headers: response.headers,
      body,
      text: new TextDecoder().decode(body),
      ...(isCut ? { isCut } : {}),
      ms: performance.now() - started,
    };
  } catch (error) {
    const reason = reasonOf(error, timeoutMs);
    throw new UnreachableError(`Cannot reach ${base}${call.path}: ${reason}`, call, reason);
  }
}

/** The given headers that a call does not have itself. */
export function givenHeaders(
  { headers: own = [] }: Call,
  given: NonNullable<SendOptions["headers"]>,
): NonNullable<SendOptions["headers"]> {
  const names = own.map(([name]) => name.toLowerCase());
  return given.filter(([name]) => !names.includes(name.toLowerCase()));
}

async function readBody({ headers, body }: Response) {
  const isStream = STREAM.test(headers.get("content-type") ?? "");
  const most = isStream ? MOST_OF_STREAM.bytes : MOST;
  const reader = body?.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let isCut = false;
  // Leaving a stream ends its read.
  function leave(): void {
    isCut = true;
    reader?.cancel().catch(() => {});
  }
  const timer = isStream ? setTimeout(leave, MOST_OF_STREAM.ms) : undefined;
  try {
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      parts.push(read.value);
      size += read.value.length;
      if (size >= most) leave();
    }
  } finally {
    clearTimeout(timer);
  }
  return { body: await new Blob(parts).bytes(), isCut };
}

export const REFUSED = "nothing answers there";

export function reasonOf(error: unknown, timeoutMs: number = TIMEOUT_MS): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `${LATE} ${timeoutMs / 1_000} s`;
  const cause = error.cause instanceof Error ? error.cause.message : "";
  if (/refused/i.test(`${error.message} ${cause}`)) return REFUSED;
  // The port of this side is another one each time.
  const head =
    /^error sending request (?:from \S+ for \S+ \(\S+\)|for url \(.*?\)): (?:client error \(\w+\): )?/;
  return (cause || error.message).replace(head, "");
}

/** How often a request is sent to a service that refuses connections. */
const MAX_TRIES = 3;

const PAUSE_MS = 200;

/** So many requests may get no answer in time: of a kind, to an operation, and in a row. */
const MOST_SILENT = { kind: 2, operation: 4, row: 8 };

/** Not sent, because others of its kind got no answer in time. */
export class SilentError extends UnreachableError {
  override readonly name = "SilentError";
}

/** @throws {GoneError} if the service accepts no more connections */
type Sender = (
  call: Call,
  kind: readonly [operation: string, title: string],
  headers: NonNullable<SendOptions["headers"]>,
) => Promise<Answer>;

export function createSender(base: string, options: SendOptions): Sender {
  const silent = new Map<string, number>();
  let inRow = 0;

  return async (call, [operation, title], headers) => {
    const exact = `${operation}\n${title}`;
    const isSilent = (key: string, most: number) => (silent.get(key) ?? 0) >= most;
    if (inRow >= MOST_SILENT.row) {
      throw new EndedError("not finished: too many requests in a row got no answer in time");
    }
    if (isSilent(operation, MOST_SILENT.operation) || isSilent(exact, MOST_SILENT.kind)) {
      throw new SilentError("others of its kind got no answer in time", call);
    }
    for (let tries = 1;; tries++) {
      try {
        const answer = await send(base, call, { ...options, headers });
        inRow = 0;
        return answer;
      } catch (error) {
        if (!(error instanceof UnreachableError)) throw error;
        if (error.isTimeout) {
          inRow++;
          for (const key of [operation, exact]) silent.set(key, (silent.get(key) ?? 0) + 1);
        }
        if (error.reason !== REFUSED) throw error;
        if (tries === MAX_TRIES) throw new GoneError(error.message, call, error.reason);
        await new Promise((done) => setTimeout(done, PAUSE_MS));
      }
    }
  };
}
