/** @module Builds the bytes of a row, and the calls that the oracle judges. */

import type { Call } from "../exchange.ts";
import type { RawFile, RawRow } from "./rows.ts";

export interface Message {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The second part, sent later. */
  readonly then: Uint8Array<ArrayBuffer> | undefined;
  /** The methods of the requests in order, or the first word of other bytes. */
  readonly methods: readonly string[];
  /** The requests as far as they can be parsed; undefined if the target is not a path. */
  readonly calls: readonly (Call | undefined)[];
}

/** Values for placeholders. */
interface Filling {
  /** The service's authority, for Host. */
  readonly host: string;
  /** A valid body, in ASCII. */
  readonly lead: string;
}

export function messageOf(
  row: RawRow,
  { requests, filling }: Pick<RawFile, "requests"> & { readonly filling: Filling },
): Message {
  const fill = (text: string) => expand(text, filling.lead);
  const base = row.use === undefined ? undefined : requests[row.use];
  const line = row.line ?? base?.line;
  const fields = [...base?.head ?? [], ...row.head].map(fill);
  const host = row.host === undefined ? filling.host : row.host;
  const body = fill(row.body);
  function request(first: string): string {
    const start = / HTTP\/\S*$/.test(first) ? first : `${first} HTTP/1.1`;
    const head = [start, ...(host === null ? [] : [`Host: ${host}`]), ...fields];
    return `${head.join("\r\n")}\r\n\r\n${body}`;
  }
  const lines = (row.lines ?? (line === undefined ? [] : [line])).map(fill);
  const text = row.bytes === undefined ? lines.map(request).join("") : fill(row.bytes);
  const starts = row.bytes === undefined ? lines : [text.split(/\r?\n/, 1)[0] ?? ""];
  return {
    bytes: latin1(text),
    then: row.then === undefined ? undefined : latin1(fill(row.then)),
    methods: starts.map((start) => start.split(" ", 1)[0] ?? ""),
    calls: starts.map((start) => callOf(start, { path: row.path, fields, body })),
  };
}

/** A plain GET. */
export function getMessage(path: string, host: string): Uint8Array<ArrayBuffer> {
  return latin1(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
}

/** Replaces placeholders. */
function expand(text: string, lead: string): string {
  return text.replace(
    /<(?:(lead|size|hex)|([^<>]+)\*(\d+))>/g,
    (_all, word: string | undefined, repeated: string, times: string) => {
      if (word === "lead") return lead;
      if (word === "size") return String(lead.length);
      if (word === "hex") return lead.length.toString(16);
      if (!repeated.includes("#")) return repeated.repeat(Number(times));
      return Array.from({ length: Number(times) }, (_, n) => repeated.replaceAll("#", String(n)))
        .join("");
    },
  );
}

function callOf(
  start: string,
  { path, fields, body }: {
    readonly path: string | undefined;
    readonly fields: readonly string[];
    readonly body: string;
  },
): Call | undefined {
  const [method = "", target = ""] = start.split(" ");
  const absolute = target.startsWith("/") ? undefined : URL.parse(target);
  const named = path ?? (target.startsWith("/") ? target : absolute?.pathname);
  if (named === undefined || !named.startsWith("/")) return undefined;
  const headers = fields.flatMap((field) => field.split("\r\n")).flatMap((field) => {
    const [, name, value] = /^([^:]+):[\t ]*(.*)$/.exec(field) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return { method, path: named, headers, ...(body === "" ? {} : { body: latin1(body) }) };
}

/** Encodes characters up to U+00FF as bytes. */
function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
