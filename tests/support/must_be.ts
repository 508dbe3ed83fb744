/** @module Whether a value is what a schema of the API says; the judge is not the service's own. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Schema, TypeOf } from "../../schemas/schema.ts";

const ajv = new Ajv2020({ allErrors: true, strict: true });
addFormats.default(ajv);

/** Why a value is not valid by a JSON Schema; nothing if it is. */
export function faultsOf(value: unknown, schema: object): unknown[] {
  const validate = ajv.compile(schema);
  return validate(value) ? [] : validate.errors ?? [];
}

/** The value with the type that the schema gives it. @throws {AssertionError} where it has not */
export function mustBe<const S extends Schema>(schema: S, value: unknown): TypeOf<S> {
  deepEqual(faultsOf(value, schema), []);
  return value as TypeOf<S>;
}
