/** @module Builds the bytes of a row, and the calls that the oracle judges. */

import type { Call } from "../../lib/exchange.ts";
import type { RawRow } from "./rows.ts";

export interface Message {
  /** The bytes, and those that are sent later. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
  /** The requests in order, as far as they can be parsed: a target may be no path. */
  readonly calls: readonly Call[];
  /** The bytes as a text of JSON, parts one after another. */
  readonly text: string;
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
    text: parts.map((part) => JSON.stringify(part)).join(", then "),
  };
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

/** The bytes of a text with repetitions; characters up to U+00FF are bytes. */
function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(repeated(text), (character) => character.charCodeAt(0));
}
