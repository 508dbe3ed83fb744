/** @module Whether a value is what a schema of the API says; judged by Ajv instead of zod. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";

const ajv = new Ajv2020({ allErrors: true, strict: true });
addFormats.default(ajv);

/** Why a value is not valid by a JSON Schema; nothing if it is. */
export function faultsOf(value: unknown, schema: object): unknown[] {
  const validate = ajv.compile(schema);
  return validate(value) ? [] : validate.errors ?? [];
}

/** The value with the type that the schema gives it. @throws {AssertionError} where it has not */
export function mustBe<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  deepEqual(faultsOf(value, z.toJSONSchema(schema)), []);
  return value as z.infer<S>;
}
