/** @module What generating values needs: the document, a validator and a limit. */

import { type ApiDocument, isObject, type Json, type JsonObject, objectOf } from "../document.ts";
import { createSchemas, type Schemas, type Validate } from "../schema.ts";

/** Values cannot be generated for a schema; the message is the reason. */
export class CannotGenerate extends Error {
  override readonly name = "CannotGenerate";
}

export interface ValueOptions {
  readonly document: Pick<ApiDocument, "resolve">;
  /**
   * Whether addresses may use the bare domain `invalid`, without a dot. It is reserved like the
   * domains below it (RFC 2606 §2), but not every service treats it so.
   */
  readonly dotless: boolean;
  /** Whether a value of a request matches a schema of the document. */
  isValid(schema: Json, value: Json): boolean;
  /** Characters of the largest value as JSON. */
  readonly most: number;
}

/** Options for the requests of a document. */
export function valueOptions(
  { document, schemas }: { readonly document: ApiDocument; readonly schemas: Schemas },
  { dotless }: Pick<ValueOptions, "dotless">,
): ValueOptions {
  const own = JSON.stringify(document.value).includes('"readOnly":true')
    ? createSchemas({ ...document, value: forRequests(document.value, document) as JsonObject })
    : schemas;
  const known = new WeakMap<object, Validate>();
  function validatorOf(schema: Json): Validate {
    if (!isObject(schema)) return own.of(schema);
    const found = known.get(schema) ?? own.of(forRequests(schema, document));
    known.set(schema, found);
    return found;
  }
  return {
    document,
    dotless,
    most: 100_000,
    isValid(schema, value) {
      return validatorOf(schema).isValid(JSON.parse(JSON.stringify(value)));
    },
  };
}

/** The schemas within a value, for requests. */
function forRequests(value: Json, document: ValueOptions["document"]): Json {
  if (Array.isArray(value)) return value.map((one) => forRequests(one, document));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(writable(value, document)).map((
      [name, one],
    ) => [name, forRequests(one, document)]),
  );
}

/** A schema without its `readOnly` members, which requests leave out (JSON Schema Validation §9.4). */
export function writable(schema: JsonObject, document: ValueOptions["document"]): JsonObject {
  const { properties, required } = schema;
  if (!isObject(properties)) return schema;
  const left = Object.keys(properties).filter((name) => isReadOnly(properties[name]!, document));
  if (left.length === 0) return schema;
  const none = Object.fromEntries(left.map((name) => [name, false]));
  const rest = Array.isArray(required) ? required.filter((name) => !left.includes(`${name}`)) : [];
  return { ...schema, properties: { ...properties, ...none }, required: rest };
}

function isReadOnly(schema: Json, document: ValueOptions["document"]): boolean {
  if (!isObject(schema) || schema["$ref"] === undefined) {
    return objectOf(schema)["readOnly"] === true;
  }
  try {
    return schema["readOnly"] === true || isReadOnly(document.resolve(schema), document);
  } catch {
    return false; // A reference that cannot be followed is reported where it is used.
  }
}
