/**
 * @module Reads a request body within bounds of bytes and time, whatever length its headers announce.
 *
 * Memory grows with the bytes received: they pass through one small buffer into one that grows up to
 * the bound. The default reader is no option: Deno backs each chunk, even of one byte, with 64 KiB.
 */

import { fieldOf } from "./fields.ts";

/** The bounds of a lead: many times its longest fields, and time for a slow network. */
export const LEAD_BODY = { maxBytes: 64 * 1024, deadlineMs: 10_000 };

/** Up to this announced length, Deno's own `bytes()` is used, which is twice as fast. */
const SMALL_BYTES = 4096;

/** Size of the read buffer, unless the body is chunked. */
const PIECE_BYTES = 4096;

/**
 * Size of the read buffer of a chunked body. Deno 2.9 applies its limits to as many bytes as fit into it:
 * 4 KiB for the line before a chunk, 64 KiB for the trailers and as much again for the last of them. If
 * it is smaller, Deno keeps all that arrives of a line or of trailers without end.
 */
const CHUNKED_PIECE_BYTES = 129 * 1024;

/**
 * A chunked body is refused as too large if more pieces of it had already arrived: with each read,
 * however small its chunk, Deno 2.9 takes up to CHUNKED_PIECE_BYTES from the connection and keeps them.
 */
const MAX_CHUNKS_AT_ONCE = 32;

/** How long a client that sends too many chunks has to read the answer (RFC 9112 §9.6). */
const LINGER_MS = 1_000;

/** A body in more pieces is refused as too large: a piece costs as much as some 32 bytes. */
const MAX_PIECES = 2048;

/** After so many pieces that had already arrived, other requests get a turn. */
const PIECES_AT_ONCE = 64;

/** How much of a body that is too large is read, for clients that send all before they read. */
const MAX_DISCARDED_BYTES = 1024 * 1024;

/** The media type of a body, without parameters such as charset (RFC 9110 §8.3). */
export function mediaTypeOf(request: Request): string | undefined {
  return fieldOf(request, "content-type")?.split(";", 1)[0]?.trim().toLowerCase();
}

/**
 * Reads the whole body, or returns why it cannot. Never throws.
 *
 * A stalled body ends with its connection: cancelling a pending read leaks its buffer (Deno 2.9).
 */
export async function readBounded(
  request: Request,
  { maxBytes, deadlineMs }: typeof LEAD_BODY,
): Promise<Uint8Array | "too_large" | "too_slow" | "aborted"> {
  const announced = announcedBytes(request.headers);
  if (announced > maxBytes) {
    void discard(piecesOf(request));
    return "too_large";
  }
  const body = announced <= SMALL_BYTES ? request.bytes() : collect(piecesOf(request), maxBytes);
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
 * The announced length; NaN if it is unreliable: two fields arrive as one, `5, 5`, and a transfer
 * coding overrides them (RFC 9112 §6.3).
 */
function announcedBytes(headers: Headers): number {
  const length = headers.get("content-length") ?? "";
  return /^\d+$/.test(length) && !headers.has("transfer-encoding") ? Number(length) : NaN;
}

type Bytes = Uint8Array<ArrayBuffer>;
type Pieces = AsyncGenerator<Bytes | "too_many", void>;

/** Yields a body in pieces that share one buffer: each is valid until the next is requested. */
async function* piecesOf({ body, headers }: Request): Pieces {
  if (body === null) return;
  const reader = readerOf(body);
  const isChunked = headers.has("transfer-encoding");
  let piece = new ArrayBuffer(isChunked ? CHUNKED_PIECE_BYTES : PIECE_BYTES);
  let atOnce = 0;
  try {
    for (;;) {
      // Reads of received bytes resolve before it runs, without a turn for other requests.
      const waits = setImmediate(() => atOnce = 0);
      const { done, value } = await reader.read(new Uint8Array(piece));
      clearImmediate(waits);
      if (done) return;
      yield value;
      piece = value.buffer;
      atOnce++;
      if (isChunked && atOnce > MAX_CHUNKS_AT_ONCE) {
        yield "too_many";
        return await pause(LINGER_MS);
      }
      if (atOnce % PIECES_AT_ONCE === 0) await pause(0);
    }
  } finally {
    await reader.cancel();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function collect(pieces: Pieces, maxBytes: number): Promise<Uint8Array | "too_large"> {
  let bytes = new Uint8Array(PIECE_BYTES);
  let size = 0;
  for (let count = 1;; count++) {
    const { done, value } = await pieces.next();
    if (done) return bytes.subarray(0, size);
    const needed = size + value.length;
    if (value === "too_many" || needed > maxBytes || count > MAX_PIECES) {
      void discard(pieces);
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
 * Reads and discards more of the body, so that a client that sends everything before it reads gets its
 * answer (over HTTP/2, Deno would reset the stream). Deno discards the rest.
 */
async function discard(pieces: Pieces): Promise<void> {
  let left = MAX_DISCARDED_BYTES;
  let count = 0;
  try {
    for await (const { length } of pieces) {
      left -= length;
      if (left <= 0 || ++count >= MAX_PIECES) break;
    }
  } catch { /* the client has gone */ }
}

/** A body in Deno is a byte stream while it arrives, and a default stream once it has. */
function readerOf(body: ReadableStream<Bytes>): {
  read(into: Bytes): Promise<ReadableStreamReadResult<Bytes>>;
  cancel(): Promise<void>;
} {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return body.getReader();
  }
}
