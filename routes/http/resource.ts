/**
 * @module One resource and its methods: HEAD with GET, OPTIONS with `Allow` and CORS preflight, 405
 * for every other method, invented ones included (RFC 9110 §9.3.7, §15.5.6; Fetch §3.2).
 */

import { answer, type Prebuilt } from "./prebuilt.ts";

/** What the server tells of the connection. */
export interface Connection {
  readonly remoteAddr: Deno.Addr;
}

/** What a handler is given beside the request. */
export interface Context {
  /** The path asked for, decoded where that is unambiguous; see `request_path.ts`. */
  readonly path: string;
  readonly connection: Connection;
}

/**
 * Answers a request. One that has its answer at hand gives it without a promise: the server hands
 * such an answer on at once, and waiting was seen to cost a tenth of the throughput.
 */
export type Handler = (request: Request, context: Context) => Response | Promise<Response>;

/** The methods that a resource answers; HEAD comes with GET, OPTIONS always. */
export interface Methods {
  readonly get?: Handler | undefined;
  readonly post?: Handler | undefined;
}

/** How long a browser may keep a preflight's outcome, in seconds. */
const PREFLIGHT_MAX_AGE_S = 7200;

/** `Allow` of a resource with these methods. */
function allowOf(methods: Methods): string {
  return [...(methods.get ? ["GET", "HEAD"] : []), ...(methods.post ? ["POST"] : []), "OPTIONS"]
    .join(", ");
}

/**
 * The handler of all methods of one resource.
 *
 * @param options.methodNotAllowed builds the 405 for an `Allow` value
 * @param options.headers what OPTIONS carries beside `Allow`
 */
export function resource(
  { get, post }: Methods,
  { methodNotAllowed, headers }: {
    readonly methodNotAllowed: (allow: string) => Prebuilt;
    readonly headers: Readonly<Record<string, string>>;
  },
): Handler {
  const allow = allowOf({ get, post });
  let refusal: Prebuilt | undefined;
  const options = { status: 204, headers: { ...headers, allow } };
  return (request, context) => {
    switch (request.method) {
      case "GET":
      case "HEAD": // as GET: `answer` leaves the body away
        if (get) return get(request, context);
        break;
      case "POST":
        if (post) return post(request, context);
        break;
      case "OPTIONS":
        return new Response(null, options);
    }
    return answer(request, refusal ??= methodNotAllowed(allow));
  };
}

/** What OPTIONS carries for a resource that any origin may use. */
export function preflightHeaders(methods: Methods): Record<string, string> {
  return {
    "access-control-allow-methods": allowOf(methods),
    "access-control-allow-headers": "content-type, authorization",
    "access-control-max-age": String(PREFLIGHT_MAX_AGE_S),
  };
}
