/**
 * @module Reads a request body within a bound of bytes and of time, whatever its headers announce.
 *
 * A body takes memory for the bytes that have arrived: they go through one small buffer into one that
 * grows up to the bound. The default reader would not do: Deno backs each chunk, even of one byte, with
 * some 64 KiB.
 */

export type BodyFault = "too_large" | "too_slow" | "aborted";

export interface BodyBounds {
  readonly maxBytes: number;
  readonly deadlineMs: number;
}

/** The bounds of a lead: many times its longest fields, and the patience of a slow network. */
export const LEAD_BODY: BodyBounds = { maxBytes: 64 * 1024, deadlineMs: 10_000 };

/** Up to this length, Deno's own `bytes()` allocates what is announced, and is twice as fast. */
const SMALL_BYTES = 4096;

/** The buffer that is read into. Deno 2.9 never answers a read into one of a few bytes. */
const PIECE_BYTES = 4096;

/** A body in more pieces is refused as one of too many bytes is: each costs as much as some 32 bytes. */
const MAX_PIECES = 2048;

/** So many pieces that have arrived are read in a row, before other requests have their turn. */
const PIECES_IN_A_ROW = 64;

/** How much of a body over a bound is read, to no purpose but to answer its client. */
const MAX_DISCARDED_BYTES = 1024 * 1024;

/** The media type of a body, without parameters such as charset (RFC 9110 §8.3). */
export function mediaTypeOf({ headers }: Request): string | undefined {
  return headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
}

/**
 * Reads the whole body, or says why not. Never throws.
 *
 * A stalled body is left to end with its connection: a read that is cancelled while it waits leaks
 * some 70 KB (Deno 2.9).
 */
export async function readBounded(
  request: Request,
  { maxBytes, deadlineMs }: BodyBounds,
): Promise<Uint8Array | BodyFault> {
  const announced = announcedBytes(request.headers);
  if (announced > maxBytes) {
    discard(piecesOf(request.body));
    return "too_large";
  }
  const body = announced <= SMALL_BYTES
    ? request.bytes()
    : collect(piecesOf(request.body), maxBytes);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<"too_slow">((resolve) => {
    timer = setTimeout(resolve, deadlineMs, "too_slow");
  });
  try {
    const read = await Promise.race([body, deadline]);
    return typeof read !== "string" && read.length > maxBytes ? "too_large" : read;
  } catch {
    return "aborted";
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The length that a request announces; NaN where nothing can be relied upon: two fields arrive as one,
 * `5, 5`, and a transfer coding overrides them (RFC 9112 §6.3).
 */
function announcedBytes(headers: Headers): number {
  const length = headers.get("content-length") ?? "";
  return /^\d+$/.test(length) && !headers.has("transfer-encoding") ? Number(length) : NaN;
}

type Bytes = Uint8Array<ArrayBuffer>;
type Body = ReadableStream<Bytes> | null;
type Pieces = AsyncGenerator<Bytes, void>;

/** What arrives, piece by piece in one buffer: each piece is valid until the next is asked for. */
async function* piecesOf(body: Body): Pieces {
  if (body === null) return;
  const reader = readerOf(body);
  let piece = new ArrayBuffer(PIECE_BYTES);
  try {
    for (let count = 1;; count++) {
      const { done, value } = await reader.read(new Uint8Array(piece));
      if (done) return;
      yield value;
      piece = value.buffer;
      // A read of what has arrived resolves at once: other requests would never be looked at.
      if (count % PIECES_IN_A_ROW === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  } finally {
    await reader.cancel();
  }
}

async function collect(pieces: Pieces, maxBytes: number): Promise<Uint8Array | "too_large"> {
  let bytes = new Uint8Array(PIECE_BYTES);
  let size = 0;
  for (let count = 1;; count++) {
    const { done, value } = await pieces.next();
    if (done) return bytes.subarray(0, size);
    const needed = size + value.length;
    if (needed > maxBytes || count > MAX_PIECES) {
      discard(pieces);
      return "too_large";
    }
    if (needed > bytes.length) {
      const room = Math.min(maxBytes, Math.max(needed, 2 * bytes.length));
      bytes = new Uint8Array(bytes.buffer.transfer(room));
    }
    bytes.set(value, size);
    size = needed;
  }
}

/**
 * Reads on without keeping anything, so that a client that sends all before it reads gets its answer
 * (over HTTP/2, Deno else resets the stream); Deno discards the rest.
 */
function discard(pieces: Pieces): void {
  (async () => {
    let left = MAX_DISCARDED_BYTES;
    let count = 0;
    for await (const { length } of pieces) {
      left -= length;
      if (left <= 0 || ++count >= MAX_PIECES) break;
    }
  })().catch(() => {}); // the client has gone
}

/** Deno gives a byte stream for what is still coming in, another one for what has all arrived. */
function readerOf(body: NonNullable<Body>): {
  read(into: Bytes): Promise<ReadableStreamReadResult<Bytes>>;
  cancel(): Promise<void>;
} {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return body.getReader();
  }
}
