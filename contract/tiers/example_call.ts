/** @module A valid request of an operation: from the profile, else from the document's examples. */

import type { Json, Operation } from "../document.ts";
import { objectOf } from "../document.ts";
import type { Call } from "../exchange.ts";
import type { Session } from "../session.ts";

/** A valid request; undefined where neither profile nor document has a body for one that needs it. */
export function exampleCall(session: Session, operation: Operation): Call | undefined {
  const { method, path } = operation;
  if (!operation.requestRequired) return { method, path };
  const body = exampleBody(session, operation);
  if (body === undefined) return undefined;
  return { method, path, headers: [["content-type", body.type]], body: JSON.stringify(body.value) };
}

/** A valid body of an operation as a value, with strings that are used once. */
export function exampleBody(
  session: Session,
  operation: Operation,
): { readonly type: string; readonly value: Json } | undefined {
  const [type, schema] = [...operation.requestContent].find(([name]) => /[/+]json$/.test(name)) ??
    [];
  if (type === undefined) return undefined;
  const fixed = session.law.profile.bodies[operation.id] as Json | undefined;
  const value = fixed ?? documented(session, schema ?? null);
  return value === undefined ? undefined : { type, value: numbered(value, session.unique()) };
}

function documented(session: Session, schema: Json): Json | undefined {
  const { $ref, examples, example } = objectOf(schema);
  if (typeof $ref === "string") {
    return documented(session, session.law.document.schemas[$ref.split("/").at(-1)!] ?? null);
  }
  return Array.isArray(examples) ? examples[0] : example;
}

/** `{n}` in strings becomes the number. */
function numbered(value: Json, n: number): Json {
  if (typeof value === "string") return value.replaceAll("{n}", String(n));
  if (Array.isArray(value)) return value.map((item) => numbered(item, n));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, numbered(item, n)]),
  );
}
