/**
 * @module Answers that never change: built once a process, then only picked and returned.
 *
 * Follows RFC 9110 §8.8.3 (entity tags) and §13.1.2 (If-None-Match, weak comparison). Chooses the
 * content coding, not the representation: that is what the caller hands in.
 */

import { chooseCoding, type Coding, encode } from "./content_coding.ts";

/**
 * One representation in one content coding: answers of which each request gets a copy. A copy shares
 * the body's bytes and skips the checks of headers that a new answer goes through, at half the cost.
 */
interface Variant {
  readonly full: Response;
  /** For HEAD, which has no body that would tell its length. */
  readonly headInit: ResponseInit;
  /** For whoever holds it already. */
  readonly conditional?: { readonly etag: string; readonly notModified: Response };
}

/** One representation as it is, and compressed where that makes it smaller. */
export interface Prebuilt extends Variant {
  readonly coded?: ReadonlyMap<Coding, Variant>;
}

/** Headers that describe a body; a 304 repeats all others (RFC 9110 §15.4.5). */
const BODY_HEADERS = new Set(["content-type", "content-length", "content-encoding"]);

const encoder = new TextEncoder();

/** All headers but `etag`, `content-length` and `content-encoding`; names in lower case. */
type Fields = Readonly<Record<string, string>>;

/**
 * Builds a 200 with a strong entity tag over its bytes, hence with a 304; for each content coding
 * with a tag of its own.
 *
 * @param content the body: text, or bytes as they are
 */
export async function prebuild(
  content: string | Uint8Array<ArrayBuffer>,
  headers: Fields,
): Promise<Prebuilt> {
  const body = bytesOf(content);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  const tag = digest.subarray(0, 12).toBase64({ alphabet: "base64url" });
  return await inEachCoding(body, { status: 200, headers, tag });
}

/** Builds an answer without entity tag, as it is: errors and what must not be cached. */
export function prebuildPlain(text: string, status: number, headers: Fields): Prebuilt {
  return variant(bytesOf(text), { status, headers });
}

/** Builds an answer without entity tag that is compressed where it may be: pages of errors. */
export async function prebuildCoded(
  text: string,
  status: number,
  headers: Fields,
): Promise<Prebuilt> {
  return await inEachCoding(bytesOf(text), { status, headers });
}

function bytesOf(content: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return typeof content === "string" ? encoder.encode(content) : content;
}

/** What all variants of an answer share. */
interface Shared {
  readonly status: number;
  readonly headers: Fields;
  /** What the entity tags begin with. */
  readonly tag?: string;
}

async function inEachCoding(body: Uint8Array<ArrayBuffer>, shared: Shared): Promise<Prebuilt> {
  const bodies = await encode(body, { contentType: shared.headers["content-type"] ?? "" });
  if (bodies.size === 0) return variant(body, shared);
  const { vary } = shared.headers;
  const headers = {
    ...shared.headers,
    vary: vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`,
  };
  const coded = new Map(
    [...bodies].map(([coding, bytes]) => [coding, variant(bytes, { ...shared, headers, coding })]),
  );
  return { ...variant(body, { ...shared, headers }), coded };
}

function variant(
  body: Uint8Array<ArrayBuffer>,
  { status, headers, tag, coding }: Shared & { readonly coding?: Coding },
): Variant {
  const etag = tag === undefined
    ? undefined
    : `"${tag}${coding === undefined ? "" : `-${coding}`}"`;
  const all = {
    ...headers,
    ...(coding === undefined ? {} : { "content-encoding": coding }),
    ...(etag === undefined ? {} : { etag }),
  };
  const full = new Response(body, { status, headers: all });
  const headInit = { status, headers: { ...all, "content-length": String(body.byteLength) } };
  if (etag === undefined) return { full, headInit };
  const kept = Object.entries(all).filter(([name]) => !BODY_HEADERS.has(name));
  const notModified = new Response(null, { status: 304, headers: kept });
  return { full, headInit, conditional: { etag, notModified } };
}

/**
 * Answers with the representation, without its body where only the head was asked for (RFC 9110
 * §9.3.2), or with 304 where the caller already holds it.
 */
export function answer(request: Request, prebuilt: Prebuilt): Response {
  const { full, headInit, conditional } = prebuilt.coded === undefined
    ? prebuilt
    : inCoding(request, prebuilt);
  if (conditional !== undefined) {
    const held = request.headers.get("if-none-match");
    if (held !== null && isHeld(held, conditional.etag)) return conditional.notModified.clone();
  }
  return request.method === "HEAD" ? new Response(null, headInit) : full.clone();
}

/** An answer of its own for one request to a method that has a body: with these headers as well. */
export function answerWith(
  { full }: Prebuilt,
  headers: Readonly<Record<string, string>>,
): Response {
  const response = full.clone();
  for (const name in headers) response.headers.set(name, headers[name]!);
  return response;
}

function inCoding(request: Request, prebuilt: Prebuilt): Variant {
  const coding = chooseCoding(request.headers.get("accept-encoding"));
  return coding === "identity" ? prebuilt : prebuilt.coded?.get(coding) ?? prebuilt;
}

/** Weak comparison of an If-None-Match field value with one strong entity tag (RFC 9110 §13.1.2). */
function isHeld(field: string, etag: string): boolean {
  if (field === etag || field.trim() === "*") return true;
  return field.split(",").some((entry) => {
    const tag = entry.trim();
    return (tag.startsWith("W/") ? tag.slice(2) : tag) === etag;
  });
}

/**
 * Runs an async builder on first use and then hands out the same result. A failed build is
 * forgotten, so that the next call tries again.
 */
export function once<T>(build: () => Promise<T>): () => Promise<T> {
  let built: Promise<T> | undefined;
  return () => {
    built ??= build().catch((error: unknown) => {
      built = undefined;
      throw error;
    });
    return built;
  };
}

/**
 * A handler's answer that is built with the first request. From then on it comes without a promise:
 * an async handler halves the throughput of an answer that is only handed out.
 */
export function answerOnce(
  build: () => Promise<Prebuilt>,
): (request: Request) => Response | Promise<Response> {
  let built: Prebuilt | undefined;
  const building = once(build);
  return (request) =>
    built === undefined
      ? building().then((prebuilt) => answer(request, built = prebuilt))
      : answer(request, built);
}
