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

/** What a lead may take up: many times its longest fields, and the patience of a slow network. */
export const LEAD_BODY: BodyBounds = { maxBytes: 64 * 1024, deadlineMs: 10_000 };

/** Reads the whole body, or says why not. Never throws. */
export async function readBounded(
  request: Request,
  { maxBytes, deadlineMs }: BodyBounds,
): Promise<Uint8Array | BodyFault> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return "too_large";
  if (request.body === null) return new Uint8Array();

  const reader = request.body.getReader();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reader.cancel().catch(() => {});
  }, deadlineMs);
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (late) return "too_slow";
      if (done) return chunks.length === 1 ? chunks[0]! : concatenate(chunks, size);
      size += value.byteLength;
      if (size > maxBytes) {
        reader.cancel().catch(() => {});
        return "too_large";
      }
      chunks.push(value);
    }
  } catch {
    return late ? "too_slow" : "aborted";
  } finally {
    clearTimeout(timer);
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
