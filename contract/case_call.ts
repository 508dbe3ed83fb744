/** @module Builds the requests of a row of a case file. */

import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { type Row, type Text, titleOf } from "./case_file.ts";
import type { ApiDocument, Json } from "./document.ts";
import { isObject } from "./document.ts";
import { type Call, pathOf } from "./exchange.ts";
import type { Want } from "./expectation.ts";
import type { Session } from "./session.ts";
import { exampleBody } from "./tiers/example_call.ts";
import { CannotRun } from "./cannot_run.ts";

export interface CaseCall {
  readonly title: string;
  readonly call: Call;
  readonly want: Want;
  /** Words of the request that no error may repeat. */
  readonly markers: readonly string[];
}

/**
 * Builds the requests of a row.
 *
 * @param options.operation the id of the operation whose valid body the row changes
 * @throws {CannotRun} when the document has no such operation, or there is no valid body for it
 */
export function callsOf(
  session: Session,
  { row, operation }: { readonly row: Row; readonly operation?: string | undefined },
): CaseCall[] {
  const base = operation === undefined || row.send !== undefined
    ? undefined
    : validCall(session, operation);
  const body = bodyOf(row, { valid: base?.value, n: session.unique() });
  const headers = Object.entries({
    ...(base === undefined ? {} : { "content-type": base.type }),
    ...row.headers,
  }).flatMap(([name, value]) => value === null ? [] : [[name, expand(value)] as const]);
  const sent = row.send ?? (base === undefined ? "" : `${base.method} ${base.path}`);
  const [methods = "", ...paths] = sent.split(" ");
  const [status, code] = row.want.split(" ");
  const want: Want = { status, code, at: row.at, headers: row.gives };
  return methods.split(",").flatMap((method) =>
    paths.map((path) => ({
      title: row.title ?? (methods.includes(",") || paths.length > 1
        ? `${method} ${pathOf({ method, path })}`
        : titleOf(row)),
      // An answer to HEAD has no body with a code.
      want: {
        ...want,
        ...(method === "HEAD" ? { code: undefined } : {}),
        ...(row.type === undefined ? {} : { type: [row.type] }),
      },
      call: {
        method,
        path,
        headers,
        ...(body === undefined ? {} : { body: withoutDefaultType(body, headers) }),
      },
      markers: markersIn(body, session.contract.document),
    }))
  );
}

/** Encodes text without a Content-Type: fetch would add `text/plain`. */
function withoutDefaultType(
  body: string | Uint8Array<ArrayBuffer>,
  headers: readonly (readonly [string, string])[],
) {
  const isTyped = headers.some(([name]) => name.toLowerCase() === "content-type");
  return typeof body === "string" && !isTyped ? new TextEncoder().encode(body) : body;
}

function validCall(session: Session, id: string) {
  const operation = session.contract.document.operations.find((one) => one.id === id);
  if (operation === undefined) throw new CannotRun(`Cannot use the cases: no operation ${id}`);
  const body = exampleBody(session, operation);
  if (body === undefined) throw new CannotRun(`Cannot use the cases: no valid body of ${id}`);
  return { method: operation.method, path: operation.path, ...body };
}

function bodyOf(
  row: Row,
  { valid, n }: { readonly valid: Json | undefined; readonly n: number },
): string | Uint8Array<ArrayBuffer> | undefined {
  if (row.hex !== undefined) return Uint8Array.fromHex(row.hex.replaceAll(" ", ""));
  const text = textOf(row, valid)?.replaceAll("{n}", String(n));
  if (text === undefined) return undefined;
  const padding = " ".repeat(Math.max(0, (row.size ?? 0) - new TextEncoder().encode(text).length));
  return encoded(text + padding, row.as);
}

function textOf(row: Row, valid: Json | undefined): string | undefined {
  if (row.text !== undefined) {
    const whole = JSON.stringify(valid ?? {});
    return expand(row.text).replaceAll("{body}", whole).replaceAll("{members}", whole.slice(1, -1));
  }
  if ("json" in row) return JSON.stringify(expandWithin(row.json as Json));
  if (!isObject(valid)) return undefined;
  const kept = Object.entries(valid).filter(([name]) => !row.remove?.includes(name));
  return JSON.stringify({
    ...Object.fromEntries(kept),
    ...expandWithin((row.set ?? {}) as Json) as object,
  });
}

function encoded(text: string, as: Row["as"]): string | Uint8Array<ArrayBuffer> {
  if (as === undefined) return text;
  if (as === "gzip") return new Uint8Array(gzipSync(text));
  const bytes = Buffer.from(text, as === "latin1" ? as : "utf16le");
  return new Uint8Array(as === "utf-16be" ? bytes.swap16() : bytes);
}

export function expand(text: Text): string {
  if (typeof text === "string") return text;
  if ("join" in text) return text.join.map(expand).join("");
  const one = expand(text.repeat);
  return Array.from({ length: text.times }, (_, at) => one.replaceAll("{i}", String(at))).join("");
}

function expandWithin(value: Json): Json {
  if (Array.isArray(value)) return value.map(expandWithin);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort().join();
  if (names === "repeat,times" || names === "join") return expand(value as unknown as Text);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, expandWithin(item)]),
  );
}

/** Long words of a body that the document does not contain, at most 20. */
export function markersIn(body: Call["body"], document: ApiDocument): string[] {
  if (typeof body !== "string") return [];
  const known = JSON.stringify(document.value);
  const words = body.slice(0, 4_000).match(/[\p{L}\p{N}_@.-]{8,}/gu) ?? [];
  return [...new Set(words)].filter((word) => !known.includes(word)).slice(0, 20);
}
