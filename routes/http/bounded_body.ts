/**
 * @module Reads a request body within a bound of bytes and of time, and not one byte further.
 *
 * A client that announces too much is refused unread; one that sends too much is cut off at the
 * bound; one that stalls is let go at the deadline, so that it holds no memory and no handler.
 */

/** Why a body could not be read. */
export type BodyFault = "too_large" | "too_slow" | "aborted";

/** Bounds of {@link readBounded}. */
export interface BodyBounds {
  readonly maxBytes: number;
  readonly deadlineMs: number;
}

/** Turns of the microtask queue: Deno has a body that has arrived ready after two. */
const TICKS = 4;

/** What a lead may take up: many times its longest fields, and the patience of a slow network. */
export const LEAD_BODY: BodyBounds = { maxBytes: 64 * 1024, deadlineMs: 10_000 };

/**
 * Reads the whole body, or says why not. Never throws.
 *
 * A body whose length is announced is taken whole, at half the cost and memory of reading it in
 * pieces: the server hands on no more than was announced.
 */
export async function readBounded(
  request: Request,
  { maxBytes, deadlineMs }: BodyBounds,
): Promise<Uint8Array | BodyFault> {
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > maxBytes) return "too_large";
  // What waits is left to end with its connection. To cancel it would be tidier, but what a cancelled
  // read holds Deno 2.9 never gives back: some 70 KB of each client that stalls.
  const body: Promise<Uint8Array | BodyFault> = announced === null
    ? readPieces(request.body?.getReader(), maxBytes)
    : request.bytes();
  try {
    // Most bodies come with their head, and a timer is a tenth of what such a request costs.
    let there: Uint8Array | BodyFault | undefined;
    body.then((value) => there = value, () => {});
    for (let tick = 0; tick < TICKS && there === undefined; tick++) await undefined;
    const read = there ?? await within(deadlineMs, body);
    return read.length > maxBytes ? "too_large" : read;
  } catch {
    return "aborted";
  }
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T | "too_slow"> {
  const { promise: deadline, resolve } = Promise.withResolvers<"too_slow">();
  const timer = setTimeout(resolve, ms, "too_slow");
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

async function readPieces(
  pieces: ReadableStreamDefaultReader<Uint8Array> | undefined,
  maxBytes: number,
): Promise<Uint8Array | BodyFault> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await pieces?.read() ?? { done: true };
    if (done) return chunks.length === 1 ? chunks[0]! : concatenate(chunks, size);
    size += value.byteLength;
    if (size > maxBytes) {
      pieces?.cancel().catch(() => {});
      return "too_large";
    }
    chunks.push(value);
  }
}

function concatenate(chunks: Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
