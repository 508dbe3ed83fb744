/** @module What generating values needs: the document, a validator and a limit. */

import fc from "fast-check";
import { type ApiDocument, arrayOf, isObject, type Json, type JsonObject } from "../document.ts";
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
  const hasReadOnly = JSON.stringify(document.value).includes('"readOnly":true');
  const value = hasReadOnly ? forRequests(document.value, document) as JsonObject : document.value;
  const own = hasReadOnly ? createSchemas({ ...document, value }) : schemas;
  const known = new WeakMap<object, Validate>();
  function validatorOf(schema: Json): Validate {
    if (typeof schema !== "object" || schema === null) return own.of(schema);
    const found = known.get(schema) ??
      own.of(hasReadOnly ? forRequests(schema, document) : schema);
    known.set(schema, found);
    return found;
  }
  return {
    document,
    dotless,
    most: 100_000,
    isValid(schema, value) {
      return validatorOf(schema)(JSON.parse(JSON.stringify(value))).length === 0;
    },
  };
}

/** Whether requests leave a member out (OpenAPI 3.1 takes `readOnly` from JSON Schema §9.4). */
export function isReadOnly(schema: Json, { resolve }: Pick<ApiDocument, "resolve">): boolean {
  return isObject(schema) && (schema["readOnly"] === true ||
    (typeof schema["$ref"] === "string" && isReadOnly(resolve(schema), { resolve })));
}

/** The schemas within a value, without the obligation to send `readOnly` members. */
function forRequests(value: Json, document: Pick<ApiDocument, "resolve">): Json {
  if (Array.isArray(value)) return value.map((one) => forRequests(one, document));
  if (!isObject(value)) return value;
  const made = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, forRequests(one, document)]),
  );
  const { required, properties } = value;
  if (Array.isArray(required) && isObject(properties)) {
    made["required"] = required.filter((name) =>
      !Object.hasOwn(properties, String(name)) ||
      !isReadOnly(properties[String(name)]!, document)
    );
  }
  return made;
}

/** Whether all validators and parsers read a value alike: no huge or tiny number, no lone surrogate. */
export function isSure(value: Json): boolean {
  if (typeof value === "number") {
    const size = Math.abs(value);
    return size === 0 || (size >= 1e-6 && size <= Number.MAX_SAFE_INTEGER);
  }
  if (typeof value === "string") return value.isWellFormed();
  if (isObject(value)) {
    return Object.keys(value).every(isSure) && Object.values(value).every(isSure);
  }
  return arrayOf(value).every(isSure);
}

/** An arbitrary that is made when its first value is needed. */
export function later<T>(make: () => fc.Arbitrary<T>): fc.Arbitrary<T> {
  let made: fc.Arbitrary<T> | undefined;
  return fc.constant(null).chain(() => made ??= make());
}

/** Sets a member, even `__proto__`, which assignment would not. */
export function withMember(value: JsonObject, name: string, member: Json): JsonObject {
  return Object.fromEntries([...Object.entries(value), [name, member]]);
}
