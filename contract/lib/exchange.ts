/** @module A request and its answer as plain data. */

import { variableOf } from "./secrets.ts";

/** A request. The path begins with a slash and may have a query. */
export interface Call {
  readonly method: string;
  readonly path: string;
  /** A list, because order and repetition may matter. Names in any case. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Text is sent as UTF-8. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The body decoded as UTF-8, with replacement characters. */
  readonly text: string;
  /** The rest was not read: it is a stream of events, or very long. */
  readonly isCut?: boolean;
  /** From sending to the last byte, in milliseconds. */
  readonly ms: number;
}

export interface Purpose {
  readonly title: string;
  /** What is sent, if curl cannot send it. */
  readonly line?: string;
  /** All bytes of the connection, in parts, if `fetch` cannot send the request. */
  readonly bytes?: readonly Uint8Array[];
  /** Strings of this request that no error may repeat. */
  readonly markers?: readonly string[];
  /** A row of the case files names the call, which may change data in production too. */
  readonly named?: boolean;
  /** Sent without the headers that the operator gives. */
  readonly anonymous?: boolean;
}

export interface Exchange extends Purpose {
  readonly tier: string;
  readonly base: string;
  readonly call: Call;
  /** The names of the operator's headers that were sent too. */
  readonly given?: readonly string[] | undefined;
  readonly answer: Answer;
}

export function pathOf(call: Call): string {
  return call.path.split("?", 1)[0] ?? call.path;
}

export function jsonOf({ text }: Pick<Answer, "text">): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A request as it is stored: a well-formed body as text, to be readable, other bytes in base 64. */
export function storedCall({ body, ...call }: Call): object {
  if (body === undefined) return call;
  if (typeof body === "string" && body.isWellFormed()) return { ...call, body };
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return { ...call, base64: bytes.toBase64() };
}

/** The request as a line for bash. Variables have the values of the operator's headers. */
export function curlOf(
  { base, call, given = [], line }: Pick<Exchange, "base" | "call" | "given" | "line">,
): string {
  if (line !== undefined) return line;
  const { method, path, headers = [], body } = call;
  const isTyped = headers.some(([name]) => name.toLowerCase() === "content-type");
  return [
    "curl -i --path-as-is",
    // curl -X HEAD waits for a body.
    method === "HEAD" ? "--head" : `-X ${quoted(method)}`,
    quoted(base + path),
    // curl sends `name;` as an empty field, and takes `name:` as a field to remove.
    ...headers.map(([name, value]) =>
      `-H ${quoted(value === "" ? `${name};` : `${name}: ${value}`)}`
    ),
    ...given.map((name) => `-H "${name}: $${variableOf(name)}"`),
    ...(body === undefined ? [] : [...(isTyped ? [] : ["-H content-type:"]), bodyOption(body)]),
  ].join(" ");
}

/** `--data-binary` reads `@…` as a file name, and no argument can contain a NUL. */
function bodyOption(body: string | Uint8Array): string {
  if (typeof body === "string" && !body.includes("\0")) return `--data-raw ${quoted(body)}`;
  return `--data-binary @<(printf '${escaped(body)}')`;
}

export function quoted(text: string): string {
  if (/^[\w./:@=-]+$/.test(text)) return text;
  return /\p{Cc}/u.test(text) ? `$'${escaped(text)}'` : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Bytes as `\x…`, which `$''` and printf both read; letters, digits and safe characters as is. */
function escaped(body: string | Uint8Array): string {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return [...bytes].map((byte) => {
    const character = String.fromCharCode(byte);
    return /[\w {}[\]":,.;@/=+<>()]/.test(character)
      ? character
      : `\\x${byte.toString(16).padStart(2, "0")}`;
  }).join("");
}
