/**
 * @module Answers that never change: built once a process, then returned as copies.
 *
 * Follows RFC 9110 §8.8.3 (entity tags) and §13.1.2 (If-None-Match, weak comparison). Chooses the
 * content coding, not the representation: that is what the caller hands in.
 */

import type { Context } from "@hono/hono";
import { lazy } from "../../schemas/lazy.ts";
import { chooseCoding, type Coding, compress, isCompressible } from "./content_coding.ts";

/** Headers that describe a body; a 304 repeats all others (RFC 9110 §15.4.5). */
const BODY_HEADERS = new Set(["content-type", "content-length", "content-encoding"]);

const encoder = new TextEncoder();

/** Headers; names in lower case. */
type Fields = Readonly<Record<string, string>>;

/** What all codings of an answer share: all but `etag`, `content-length` and `content-encoding`. */
interface Shared {
  readonly status: number;
  readonly headers: Fields;
  /** What the entity tags begin with. */
  readonly tag?: string;
}

/**
 * One representation in one content coding, and the same in others. Each request gets a clone of one
 * Response: a clone shares the body's bytes and skips the validation of headers, at half the cost.
 */
export class Prebuilt {
  /** Strong; undefined for what must not be cached. */
  readonly etag: string | undefined;
  /** The compressed forms so far; undefined if the body is not to be compressed. */
  readonly #coded: Map<Coding, Prebuilt | Promise<Prebuilt>> | undefined;
  readonly #body: Uint8Array<ArrayBuffer>;
  readonly #shared: Shared;
  readonly #headers: Fields;
  #full: Response | undefined;
  #head: Response | undefined;
  #notModified: Response | undefined;

  constructor(
    body: Uint8Array<ArrayBuffer>,
    shared: Shared,
    { coding, compressible = false }: {
      readonly coding?: Coding;
      readonly compressible?: boolean;
    } = {},
  ) {
    const { headers, tag } = shared;
    this.etag = tag && `"${tag}${coding === undefined ? "" : `-${coding}`}"`;
    this.#coded = compressible ? new Map() : undefined;
    this.#body = body;
    this.#shared = shared;
    this.#headers = {
      ...headers,
      ...(coding === undefined ? {} : { "content-encoding": coding }),
      ...(this.etag === undefined ? {} : { etag: this.etag }),
    };
  }

  /** The answer with its body. */
  get full(): Response {
    return this.#full ??= new Response(this.#body, {
      status: this.#shared.status,
      headers: this.#headers,
    });
  }

  /** For HEAD: without a body, but with its length. */
  get head(): Response {
    return this.#head ??= new Response(null, {
      status: this.#shared.status,
      headers: { ...this.#headers, "content-length": String(this.#body.byteLength) },
    });
  }

  /** For a client that has it already. */
  get notModified(): Response {
    return this.#notModified ??= new Response(null, {
      status: 304,
      headers: Object.entries(this.#headers).filter(([name]) => !BODY_HEADERS.has(name)),
    });
  }

  /** In the coding that the request prefers, or as it is. A promise while that is being made. */
  codedFor(c: Context): Prebuilt | Promise<Prebuilt> {
    if (this.#coded === undefined) return this;
    const coding = chooseCoding(c);
    return coding === "identity"
      ? this
      : this.#coded.get(coding) ?? this.#make(coding, this.#coded);
  }

  #make(coding: Coding, coded: Map<Coding, Prebuilt | Promise<Prebuilt>>): Promise<Prebuilt> {
    // What cannot be compressed is still an answer as it is.
    const making = compress(this.#body, coding).catch(() => undefined).then((bytes) => {
      const made = bytes === undefined ? this : new Prebuilt(bytes, this.#shared, { coding });
      coded.set(coding, made);
      return made;
    });
    coded.set(coding, making);
    return making;
  }
}

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
  return inAnyCoding(body, { status: 200, headers, tag });
}

/** Builds an answer without entity tag, as it is: errors and what must not be cached. */
export function prebuildPlain(text: string, status: number, headers: Fields): Prebuilt {
  return new Prebuilt(bytesOf(text), { status, headers });
}

/** Builds an answer without entity tag that is compressed where it may be: pages of errors. */
export function prebuildCoded(text: string, status: number, headers: Fields): Prebuilt {
  return inAnyCoding(bytesOf(text), { status, headers });
}

function bytesOf(content: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return typeof content === "string" ? encoder.encode(content) : content;
}

function inAnyCoding(body: Uint8Array<ArrayBuffer>, shared: Shared): Prebuilt {
  const { "content-type": contentType = "", vary } = shared.headers;
  if (!isCompressible(body, { contentType })) return new Prebuilt(body, shared);
  const headers = {
    ...shared.headers,
    vary: vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`,
  };
  return new Prebuilt(body, { ...shared, headers }, { compressible: true });
}

/**
 * Answers with the representation, without its body where only the head was asked for (RFC 9110
 * §9.3.2), or with 304 where the client already holds it. A promise only with the first request for
 * a coding.
 */
export function respond(c: Context, prebuilt: Prebuilt): Response | Promise<Response> {
  const coded = prebuilt.codedFor(c);
  return coded instanceof Prebuilt ? send(c, coded) : coded.then((made) => send(c, made));
}

function send({ req }: Context, prebuilt: Prebuilt): Response {
  const { etag } = prebuilt;
  const held = etag && req.header("if-none-match");
  if (held !== undefined && matchesIfNoneMatch(held, etag!)) return prebuilt.notModified.clone();
  return (req.method === "HEAD" ? prebuilt.head : prebuilt.full).clone();
}

/** An answer of its own for one request to a method that has a body: with these headers as well. */
export function withHeaders(
  { full }: Prebuilt,
  headers: Readonly<Record<string, string>>,
): Response {
  const response = full.clone();
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** Weak comparison of an If-None-Match field value with one strong entity tag (RFC 9110 §13.1.2). */
function matchesIfNoneMatch(field: string, etag: string): boolean {
  if (field === etag || field.trim() === "*") return true;
  return field.split(",").some((entry) => {
    const tag = entry.trim();
    return (tag.startsWith("W/") ? tag.slice(2) : tag) === etag;
  });
}

/**
 * The handler of an answer that is built with its first request. From then on it comes without a
 * promise: an async handler halves the throughput of an answer that is only copied.
 */
export function prebuiltOnce(
  build: () => Promise<Prebuilt>,
): (c: Context) => Response | Promise<Response> {
  let built: Prebuilt | undefined;
  const building = lazy(build);
  return (c) =>
    built === undefined
      ? building().then((prebuilt) => respond(c, built = prebuilt))
      : respond(c, built);
}
