/** @module The cases tier: sends every row of every case file and checks the answer. */

import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { CannotRun } from "../lib/cannot_run.ts";
import { type CaseFile, readCases, type Row } from "./case_file.ts";
import { type ApiDocument, jsonBodyOf } from "../document/document.ts";
import { arrayOf, type Json, type JsonObject, namesOf, objectOf, pointer } from "../lib/json.ts";
import type { Call } from "../lib/exchange.ts";
import { type Contract, mismatchesOf, quoted } from "../oracle/check.ts";
import { repeated } from "./raw/rows.ts";
import { bodySchemaOf, chosen, exampleBody } from "../request/operation_input.ts";
import type { Session, Tier } from "../run/session.ts";
import { negotiate } from "./negotiation.ts";
import { declareRules } from "../lib/rules.ts";

const RULES = declareRules({
  case: "breach: a row of the case files gets the answer that it wants",
});

export const casesTier: Tier = {
  name: "cases",
  tries: "the rows of the case files: boundaries, bad inputs, methods, paths, Accept",
  live: true,
  unable: ({ cases }) => cases === undefined ? "there are no cases" : undefined,
  async run(session) {
    const files = session.cases === undefined ? [] : await readCases(session.cases);
    let rows = 0;
    for (const [index, file] of files.entries()) {
      session.progress(index, files.length);
      rows += await runFile(session, file);
    }
    session.progress(files.length, files.length);
    session.note(`${rows} rows of ${files.length} files`);
  },
};

export async function runFile(session: Session, file: CaseFile): Promise<number> {
  const { document, profile } = session.contract;
  const operation = document.operations.find(({ id }) => id === file.operation);
  const body = operation && bodySchemaOf(document, operation);
  let sent = file.negotiation === undefined ? 0 : await negotiate(session, file.negotiation);
  const left: string[] = [];
  for (const [category, rows] of Object.entries(file.cases ?? {})) {
    for (const row of rows.flatMap((template) => rowsFor(template, session.contract, body))) {
      if (session.live && row.live !== true) continue;
      const reason = body && unsuitable(row, objectOf(body["properties"]));
      if (reason !== undefined) {
        left.push(reason);
        continue;
      }
      sent++;
      const [status, code] = row.want.split(" ");
      // Without the title, so that rows with the same problem are one finding.
      const place = row.at === undefined ? "" : ` (${row.at.map(quoted).join(", ")})`;
      for (const call of callsOf(session, row, file)) {
        if (session.permits(call, true) !== undefined) continue;
        const exchange = await session.send(call, {
          title: `${file.name}, ${category}: ${row.title ?? `${call.method} ${call.path}`}`,
          markers: markersIn(call.body, document),
          named: true,
        });
        // An answer to HEAD has no body with a code.
        const outcome = call.method === "HEAD" ? { status } : { status, code };
        const want = { ...outcome, at: row.at, type: row.type, headers: row.gives };
        for (const problem of mismatchesOf(exchange.answer, { want, profile })) {
          session.report(RULES.case, `${category}${place}: ${problem}`, { exchange });
        }
      }
    }
  }
  for (const [reason, { length }] of Map.groupBy(left, (one) => one)) {
    session.note(`${length} row${length === 1 ? "" : "s"} of ${file.name} not sent: ${reason}`);
  }
  return sent;
}

/** The row with each value that it has a place for, and with the required members for `/*`. */
function rowsFor(template: Row, contract: Contract, body: JsonObject = {}): Row[] {
  const required = arrayOf(body["required"]).map((name) => pointer(String(name)));
  const at = template.at?.flatMap((place) => place === "/*" ? required : [place]);
  return chosen(JSON.stringify({ ...template, at }), contract).map((text) => JSON.parse(text));
}

/** Why a row does not suit the members that the document has; undefined if it does. */
function unsuitable({ at = [], set = {}, text = "", want }: Row, members: JsonObject) {
  const has = (name: string) => Object.hasOwn(members, name);
  const names = Object.keys(set);
  const inText = text.matchAll(/"(\w+)"\s*:/g).map(([, name]) => name!);
  const accepted = want.startsWith("2") ? [...names, ...inText] : [];
  if (at.includes("") && names.length > 0 && names.every(has)) {
    return `the document has ${names.join(" and ")}`;
  }
  const absent = [...at.flatMap((place) => namesOf(place)), ...accepted].find((one) => !has(one));
  return absent === undefined ? undefined : `the document has no ${absent}`;
}

/** Each method on each path. @throws {CannotRun} without the operation, or a valid body for it */
function callsOf(session: Session, row: Row, { operation, name }: CaseFile): Call[] {
  const base = row.send === undefined ? validCall(session, operation ?? `in ${name}`) : undefined;
  const fields = { ...base?.headers, ...row.headers };
  const headers = Object.entries(fields)
    .flatMap(([name, value]) => value === null ? [] : [[name, repeated(value)] as const]);
  const [methods = "", ...paths] = (row.send ?? base!.target).split(" ");
  const body = bodyOf(row, { valid: base?.body, n: session.unique() });
  // fetch would add `text/plain` to a text.
  const isTyped = headers.some(([name]) => name.toLowerCase() === "content-type");
  const bytes = typeof body === "string" && !isTyped ? new TextEncoder().encode(body) : body;
  const rest = bytes === undefined ? { headers } : { headers, body: bytes };
  return methods.split(",").flatMap((method) => paths.map((path) => ({ method, path, ...rest })));
}

function validCall(session: Session, id: string) {
  const operation = session.contract.document.operations.find((one) => one.id === id);
  if (operation === undefined) throw new CannotRun(`Cannot use the cases: no operation ${id}`);
  const body = exampleBody(session, operation);
  if (body === undefined) throw new CannotRun(`Cannot use the cases: no valid body of ${id}`);
  const headers = { "content-type": jsonBodyOf(operation)!.type };
  return { target: `${operation.method} ${operation.path}`, headers, body };
}

function bodyOf(
  row: Row,
  { valid, n }: { readonly valid: Json | undefined; readonly n: number },
): Call["body"] {
  if (row.hex !== undefined) return Uint8Array.fromHex(row.hex.replaceAll(" ", ""));
  const whole = changed(row, valid) ?? "{}";
  const template = row.text ??
    ("json" in row ? JSON.stringify(row.json) : valid === undefined ? undefined : whole);
  if (template === undefined) return undefined;
  const text = repeated(template).replaceAll("{body}", whole)
    .replaceAll("{members}", whole.slice(1, -1)).replaceAll("{n}", String(n));
  const { length } = new TextEncoder().encode(text);
  return encoded(text + " ".repeat(Math.max(0, (row.size ?? 0) - length)), row.as);
}

function changed({ set, remove = [] }: Row, valid: Json | undefined): string | undefined {
  if (valid === undefined) return undefined;
  const kept = Object.entries(objectOf(valid)).filter(([name]) => !remove.includes(name));
  return JSON.stringify({ ...Object.fromEntries(kept), ...set });
}

function encoded(text: string, as: Row["as"]): Call["body"] {
  if (as === undefined) return text;
  if (as === "gzip") return new Uint8Array(gzipSync(text));
  const bytes = Buffer.from(text, as === "latin1" ? as : "utf16le");
  return new Uint8Array(as === "utf-16be" ? bytes.swap16() : bytes);
}

/** Long words of a body that the document does not contain, at most 20. */
export function markersIn(body: Call["body"], document: ApiDocument): string[] {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const known = JSON.stringify(document.value);
  const words = text.slice(0, 4_000).match(/[\p{L}\p{N}_@.-]{8,}/gu) ?? [];
  return [...new Set(words)].filter((word) => !known.includes(word)).slice(0, 20);
}
