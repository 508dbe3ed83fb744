/** @module Validates values by Ajv instead of zod. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";

const ajv = new Ajv2020({ allErrors: true, strict: true });
addFormats.default(ajv);

/** Returns the value with the schema's type. @throws {AssertionError} if it is invalid */
export function mustBe<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const validate = ajv.compile(z.toJSONSchema(schema));
  validate(value);
  deepEqual(validate.errors ?? [], []);
  return value as z.infer<S>;
}
