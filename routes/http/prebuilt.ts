/**
 * @module Answers that never change: built once a process, then only picked and returned.
 *
 * Follows RFC 9110 §8.8.3 (entity tags) and §13.1.2 (If-None-Match, weak comparison).
 * Does not negotiate and does not compress: a representation is what the caller hands in.
 */

/** One representation with its status, headers and, when it has an entity tag, its 304 twin. */
export interface Prebuilt {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly init: ResponseInit;
  readonly etag?: string;
  readonly notModified?: ResponseInit;
}

/** Headers that a 304 must repeat (RFC 9110 §15.4.5) and those that describe only a body. */
const BODY_HEADERS = new Set(["content-type", "content-length", "content-encoding"]);

const encoder = new TextEncoder();

/**
 * Builds an answer with a strong entity tag over its bytes, hence with a 304.
 *
 * @param content the body: text, or bytes as they are
 * @param headers all headers but `etag` and `content-length`, names in lower case
 */
export async function prebuild(
  content: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Promise<Prebuilt> {
  const body = typeof content === "string" ? encoder.encode(content) : content;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  const etag = `"${digest.subarray(0, 12).toBase64({ alphabet: "base64url" })}"`;
  const tagged = { ...headers, etag };
  return {
    body,
    init: { status: 200, headers: { ...tagged, "content-length": String(body.byteLength) } },
    etag,
    notModified: {
      status: 304,
      headers: Object.fromEntries(
        Object.entries(tagged).filter(([name]) => !BODY_HEADERS.has(name)),
      ),
    },
  };
}

/** Builds an answer without entity tag: errors and what must not be cached. */
export function prebuildPlain(
  text: string,
  status: number,
  headers: Readonly<Record<string, string>>,
): Prebuilt {
  const body = encoder.encode(text);
  return {
    body,
    init: { status, headers: { ...headers, "content-length": String(body.byteLength) } },
  };
}

/** Answers with the representation, or with 304 where the caller already holds it. */
export function answer(request: Request, prebuilt: Prebuilt): Response {
  if (prebuilt.etag !== undefined) {
    const held = request.headers.get("if-none-match");
    if (held !== null && isHeld(held, prebuilt.etag)) {
      return new Response(null, prebuilt.notModified);
    }
  }
  return new Response(prebuilt.body, prebuilt.init);
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
