/**
 * @module One request and its answer, as the harness keeps them: plain data, so that they can be
 * judged, counted, compared, printed and sent again.
 */

/** A request. The path begins with a slash and may have a query. */
export interface Call {
  readonly method: string;
  readonly path: string;
  /** Names in any case; a list, because the order and repetitions may matter. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Text is sent as UTF-8. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The body as UTF-8, with replacement characters where it is none. */
  readonly text: string;
  /** From sending to the last byte, in milliseconds. */
  readonly ms: number;
}

/** What a request is there to show. */
export interface Purpose {
  readonly tier: string;
  /** A sentence for people: what is tried. */
  readonly title: string;
  /** What must not come back: strings that only this request holds. */
  readonly markers?: readonly string[];
}

/** A request, its answer, and why it was sent. */
export interface Exchange extends Purpose {
  readonly base: string;
  readonly call: Call;
  readonly answer: Answer;
}

/** The header's value, or undefined. The first of several. */
export function headerOf(call: Call, name: string): string | undefined {
  return call.headers?.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** The path without its query. */
export function pathOf(call: Call): string {
  return call.path.split("?", 1)[0] ?? call.path;
}

/** The request as a line for a shell; bytes that are no text go in as `$'\x…'`. */
export function curlOf({ base, call }: Pick<Exchange, "base" | "call">): string {
  const { method, path, headers = [], body } = call;
  return [
    `curl -i --path-as-is -X ${quoted(method)} ${quoted(base + path)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quotedBody(body)}`]),
  ].join(" ");
}

function quoted(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function quotedBody(body: string | Uint8Array): string {
  if (typeof body === "string" && !/\p{Cc}/u.test(body)) return quoted(body);
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const escaped = [...bytes].map((byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, "0")}`
  );
  return `$'${escaped.join("")}'`;
}
