/**
 * @module Answers built once, sent as copies, with entity tags (RFC 9110 §8.8.3, §13.1.2), compressed with
 * brotli and gzip (§8.4).
 */

import type { Context } from "@hono/hono";
import { lazy } from "../../lib/lazy.ts";
import { fieldOf } from "./fields.ts";
import { chooseCoding, type Coding } from "./negotiation.ts";

/** Headers that describe a body; a 304 repeats all others (RFC 9110 §15.4.5). */
const BODY_HEADERS = new Set(["content-type", "content-length", "content-encoding"]);

const FORMATS: Readonly<Record<Coding, CompressionFormat>> = { br: "brotli", gzip: "gzip" };

/** From this size, in bytes, compression is worth its overhead. */
const WORTHWHILE = 300;

/** Media types to compress; images, except SVG, and fonts are compressed already. */
const COMPRESSIBLE = /^(?:text\/|application\/|image\/svg\+xml)/;

const encoder = new TextEncoder();

type Fields = Readonly<Record<string, string>>;
type Bytes = Uint8Array<ArrayBuffer>;

interface Source {
  readonly body: Bytes;
  readonly status: number;
  readonly headers: Fields;
  /** Prefix of each coding's entity tag; undefined for answers without one. */
  readonly tag?: string;
  readonly compressible?: boolean;
}

/**
 * A representation in one content coding, and its other codings. Each request gets a clone of one
 * Response, which shares the body's bytes and skips the validation of headers, at half the cost.
 */
export class Prebuilt {
  readonly etag: string | undefined;
  readonly #headers: Fields;
  #full: Response | undefined;
  #head: Response | undefined;
  #notModified: Response | undefined;
  readonly #source: Source;
  readonly #coded = new Map<Coding, Prebuilt | Promise<Prebuilt>>();

  constructor(source: Source, coding?: Coding) {
    const { tag } = source;
    this.#source = source;
    this.etag = tag && `"${tag}${coding === undefined ? "" : `-${coding}`}"`;
    this.#headers = {
      ...source.headers,
      ...(coding && { "content-encoding": coding }),
      ...(this.etag && { etag: this.etag }),
    };
  }

  get full(): Response {
    return this.#full ??= new Response(this.#source.body, {
      status: this.#source.status,
      headers: this.#headers,
    });
  }

  /** For HEAD: without a body, but with its length. */
  get head(): Response {
    return this.#head ??= new Response(null, {
      status: this.#source.status,
      headers: { ...this.#headers, "content-length": `${this.#source.body.byteLength}` },
    });
  }

  /** For a client whose copy is current. */
  get notModified(): Response {
    return this.#notModified ??= new Response(null, {
      status: 304,
      headers: Object.entries(this.#headers).filter(([name]) => !BODY_HEADERS.has(name)),
    });
  }

  /** The answer in the coding that the request prefers; a promise while it is being compressed. */
  codedFor(c: Context): Prebuilt | Promise<Prebuilt> {
    const coding = this.#source.compressible ? chooseCoding(c) : "identity";
    return coding === "identity" ? this : this.#coded.get(coding) ?? this.#make(coding);
  }

  #make(coding: Coding): Promise<Prebuilt> {
    // Without the coding, the answer is sent as identity.
    const making = compress(this.#source.body, coding).catch(() => undefined).then((body) => {
      const made = body === undefined
        ? this
        : new Prebuilt({ ...this.#source, body, compressible: false }, coding);
      this.#coded.set(coding, made);
      return made;
    });
    this.#coded.set(coding, making);
    return making;
  }
}

/** Builds a 200 with a strong entity tag over its bytes, one for each coding, and its 304. */
export async function prebuild(content: string | Bytes, headers: Fields): Promise<Prebuilt> {
  const body = typeof content === "string" ? encoder.encode(content) : content;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  const tag = digest.subarray(0, 12).toBase64({ alphabet: "base64url" });
  return inAnyCoding({ body, status: 200, headers, tag });
}

/** Builds an answer without entity tag or compression: errors and answers that are not cached. */
export function prebuildPlain(text: string, init: Pick<Source, "status" | "headers">): Prebuilt {
  return new Prebuilt({ body: encoder.encode(text), ...init });
}

/** Builds an answer without entity tag, but with compression: error pages. */
export function prebuildCoded(text: string, init: Pick<Source, "status" | "headers">): Prebuilt {
  return inAnyCoding({ body: encoder.encode(text), ...init });
}

function inAnyCoding(source: Source): Prebuilt {
  const { "content-type": contentType = "", vary } = source.headers;
  const isSmall = source.body.byteLength < WORTHWHILE;
  if (isSmall || !COMPRESSIBLE.test(contentType)) return new Prebuilt(source);
  const varied = vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`;
  const headers = { ...source.headers, vary: varied };
  return new Prebuilt({ ...source, headers, compressible: true });
}

/**
 * Undefined if no smaller. Not by `node:zlib`, whose brotli would be an eighth smaller, some 300 bytes of a
 * page, but costs 6 MB of memory and 27 ms of the first page.
 *
 * @throws {TypeError} without the coding, as in Deno before 2.7
 */
async function compress(body: Bytes, coding: Coding): Promise<Bytes | undefined> {
  const compression = new CompressionStream(FORMATS[coding]);
  const bytes = await new Response(new Response(body).body!.pipeThrough(compression)).bytes();
  return bytes.byteLength < body.byteLength ? bytes : undefined;
}

/**
 * Answers with the representation, without its body for HEAD (RFC 9110 §9.3.2), or with 304 if the
 * client's copy is current. Returns a promise for the first request of a coding only.
 */
export function respond(c: Context, prebuilt: Prebuilt): Response | Promise<Response> {
  const coded = prebuilt.codedFor(c);
  return coded instanceof Prebuilt ? send(c, coded) : coded.then((made) => send(c, made));
}

function send({ req }: Context, prebuilt: Prebuilt): Response {
  const { etag } = prebuilt;
  const tags = etag === undefined ? undefined : fieldOf(req.raw, "if-none-match")?.trim();
  const isTag = (entry: string) => entry.trim().replace(/^W\//, "") === etag;
  if (tags === "*" || tags?.split(",").some(isTag)) return prebuilt.notModified.clone();
  return (req.method === "HEAD" ? prebuilt.head : prebuilt.full).clone();
}

/** A copy with further headers, for one request. */
export function withHeaders({ full }: Prebuilt, headers: Fields): Response {
  const response = full.clone();
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/**
 * Creates a handler that builds its answer with the first request and then answers synchronously: an
 * async handler would halve the throughput.
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
