/** @module Builds the bytes of a row, the calls that the oracle judges, and a line for bash. */

import type { Call } from "../../lib/exchange.ts";
import type { RawRow } from "./rows.ts";

export interface Message {
  /** The bytes, and those that are sent later. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
  /** The requests in order, as far as they can be parsed: a target may be no path. */
  readonly calls: readonly Call[];
  /** Commands of bash that print the bytes. */
  readonly script: string;
}

/** What placeholders mean: `host`, `body` and others. `size` and `hex` follow from `body`. */
export type Words = Readonly<Record<"host" | "body", string>> & Readonly<Record<string, string>>;

export function messageOf(row: RawRow, words: Words): Message {
  const size = words.body.length;
  const all: Words = { ...words, size: String(size), hex: size.toString(16) };
  const fill = (text: string) => text.replace(/<(\w+)>/g, (same, name) => all[name] ?? same);
  const { host = words.host } = row;
  const body = fill(row.body);
  const fields = row.head.map(fill);
  const lines = row.lines.map(fill);
  function request(first: string): string {
    const start = / HTTP\/\S*$/.test(first) ? first : `${first} HTTP/1.1`;
    const head = [start, ...(host === null ? [] : [`Host: ${host}`]), ...fields];
    return `${head.join("\r\n")}\r\n\r\n${body}`;
  }
  const headers = fields.map(repeated).join("\r\n").matchAll(/^([^:\r\n]+):[\t ]*(.*)$/gm)
    .map(([, name, value]) => [name!, value!] as const).toArray();
  function callOf(start: string): Call {
    const [method = "", target = ""] = repeated(start).split(" ");
    const named = target.startsWith("/") ? target : URL.parse(target)?.pathname ?? target;
    const sent = body === "" ? {} : { body: latin1(body) };
    return { method, path: row.path ?? named, headers, ...sent };
  }
  const text = row.bytes === undefined ? lines.map(request).join("") : fill(row.bytes);
  const starts = row.bytes === undefined ? lines : repeated(text).split(/\r?\n/, 1);
  const parts = [text, ...row.then === undefined ? [] : [fill(row.then)]];
  return {
    parts: parts.map(latin1),
    calls: starts.map(callOf),
    script: parts.flatMap((part, n) => [...n > 0 ? ["sleep 1"] : [], ...commands(part)]).join("; "),
  };
}

/** The row as a line for bash; nc or openssl waits for the answer. */
export function replayOf(
  { half_close }: Pick<RawRow, "half_close">,
  { base, script }: { readonly base: string; readonly script: string },
): string {
  const { protocol, hostname, port } = new URL(base);
  const host = hostname.replace(/^\[|\]$/g, "");
  const client = protocol === "https:"
    ? `openssl s_client -quiet -servername ${host} -connect ${hostname}:${port || 443}`
    : `nc -w 3${half_close ? " -N" : ""} ${host} ${port || 80}`;
  return `${script.includes("; ") ? `{ ${script}; }` : script} | ${client}`;
}

export function getMessage(path: string, host: string): Uint8Array<ArrayBuffer> {
  return latin1(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
}

const REPEATED = /<([^<>]+)\*(\d+)>/g;

/** The text with its repeated units; `#` counts from 0. */
export function repeated(text: string): string {
  return text.replace(REPEATED, (_all, unit: string, times: string) => {
    const units = Array.from({ length: Number(times) }, (_, n) => unit.replaceAll("#", String(n)));
    return units.join("");
  });
}

function commands(text: string): string[] {
  return text.split(REPEATED).flatMap((part, index, parts) => {
    const times = Number(parts[index + 1]);
    if (index % 3 === 2 || part === "") return [];
    if (index % 3 === 0) return [`printf '${format(part)}'`];
    return part.includes("#")
      ? [`printf '${format(part).replaceAll("#", "%d")}' {0..${times - 1}}`]
      : [`printf '${format(part)}%.0s' {1..${times}}`];
  });
}

/** A format for printf that prints this text, each character as a byte. */
function format(text: string): string {
  return text.replace(/^-|['\\%]|[^\x20-\x7e]/g, (character) => {
    const hex = character.charCodeAt(0).toString(16).padStart(2, "0");
    const short = { "\r": "\\r", "\n": "\\n", "%": "%%", "\\": "\\\\" }[character];
    return short ?? `\\x${hex}`;
  });
}

/** The bytes of a text with repetitions; characters up to U+00FF are bytes. */
function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(repeated(text), (character) => character.charCodeAt(0));
}
