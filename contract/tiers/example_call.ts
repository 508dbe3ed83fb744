/** @module A valid request for an operation, from the profile or the document's examples. */

import {
  arrayOf,
  type Json,
  jsonBodyOf,
  type JsonObject,
  objectOf,
  type Operation,
} from "../document.ts";
import type { Call } from "../exchange.ts";
import { callOf } from "../request/write.ts";
import type { Session } from "../session.ts";

/** A valid request; undefined if it needs a value that neither profile nor document has. */
export function exampleCall(session: Session, operation: Operation): Call | undefined {
  const body = operation.bodyRequired ? exampleBody(session, operation) : undefined;
  if (operation.bodyRequired && body === undefined) return undefined;
  const parts: Record<string, JsonObject> = {};
  for (const { in: place, name, required, example } of operation.parameters) {
    if (!required) continue;
    if (example === undefined) return undefined;
    parts[place] = { ...parts[place], [name]: example };
  }
  const given = body === undefined ? parts : { ...parts, body: body.value };
  return callOf(operation, { parts: given, media: jsonBodyOf(operation) });
}

/** A valid body of an operation as a value, with `{n}` replaced by a unique number. */
export function exampleBody(
  session: Session,
  operation: Operation,
): { readonly type: string; readonly value: Json } | undefined {
  const { document, profile } = session.contract;
  const body = jsonBodyOf(operation);
  if (body === undefined) return undefined;
  const { examples, example } = objectOf(document.resolve(body.schema ?? null));
  const [documented = example] = [...body.examples, ...arrayOf(examples)];
  const value = profile.bodies[operation.id] as Json | undefined ?? documented;
  if (value === undefined) return undefined;
  const text = JSON.stringify(value).replaceAll("{n}", String(session.unique()));
  return { type: body.type, value: JSON.parse(text) };
}
