/** @module Validates by a document's schemas with Ajv (2020-12). An unusable one accepts all. */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { DataValidateFunction, DataValidationCxt } from "ajv/dist/types/index.js";
import { type ApiDocument, DOCUMENT_RULES, type Problem } from "./document.ts";
import type { Json } from "../lib/json.ts";
import { type Cleaner, createCleaner, patternOf, TARGET } from "./schema_for_ajv.ts";
import { linesOf, referred } from "./error_lines.ts";
import { assertFormats } from "./formats.ts";

/** Returns the first problems of a value, one line each; none if it is valid. */
export interface Validate {
  (value: unknown): string[];
  /** Without the work of saying why not. */
  isValid(value: unknown): boolean;
}

export interface Schemas extends Pick<Cleaner, "annotated" | "places"> {
  /** Never throws. */
  of(schema: Json): Validate;
  readonly problems: readonly Problem[];
}

/** Values that reach every schema that is applied in place. */
const PROBES = [null, true, 0, "", [], {}];

/** The schemas of a document's messages; those of requests have no `readOnly` members. */
export function createSchemas(document: ApiDocument, isRequest = false): Schemas {
  const cleaner = createCleaner(document, isRequest);
  const { annotated, places, problems } = cleaner;
  const ajv = new Ajv2020({
    ...{ strict: false, allErrors: true, verbose: true, logger: false, validateSchema: false },
    ...{ addUsedSchema: false, ownProperties: true },
    code: {
      regExp: Object.assign((text: string) => patternOf(text) ?? /(?:)/u, { code: "pattern" }),
    },
  });
  assertFormats(ajv);
  ajv.addKeyword({ keyword: TARGET, compile: followLazily });
  const validators = new Map<Json, Validate>();
  const compiled = new Map<string, ValidateFunction>();
  let added = 0;

  /** Compiles a target when a value reaches it, because Ajv would compile them all in recursion. */
  function followLazily(number: string): DataValidateFunction {
    let inner: ValidateFunction | undefined;
    const follow: DataValidateFunction = (value: unknown, context?: DataValidationCxt) => {
      inner ??= compile(cleaner.targets[Number(number)]!);
      if (inner(value, context)) return true;
      follow.errors = (inner.errors ?? []).map(referred);
      return false;
    };
    return follow;
  }
  function guard(schema: Json, make: () => ValidateFunction): ValidateFunction {
    try {
      return make();
    } catch (error) {
      const where = typeof schema === "object" && schema !== null ? places.of(schema) : "";
      const why = error instanceof RangeError
        ? "it or a value is nested without end"
        : (error as Error).message;
      const message = `this schema cannot be used, because ${why}`;
      problems.push({ check: DOCUMENT_RULES.schema_unusable, where, message });
      return ajv.compile(true);
    }
  }
  function compile(schema: Json): ValidateFunction {
    return guard(schema, () => {
      const usable = cleaner.of(schema);
      for (; places.unevaluated && added < cleaner.targets.length; added++) {
        ajv.addSchema(cleaner.of(cleaner.targets[added]!) as object, String(added));
      }
      // Many schemas differ in annotations alone.
      const text = JSON.stringify(usable);
      const validate = compiled.get(text) ?? ajv.compile(usable as object);
      compiled.set(text, validate);
      return validate;
    });
  }
  function of(schema: Json): Validate {
    const known = validators.get(schema);
    if (known !== undefined) return known;
    let validate = compile(schema);
    function isValid(value: unknown): boolean {
      let isFine = true;
      validate = guard(schema, () => {
        isFine = validate(value);
        return validate;
      });
      return isFine;
    }
    PROBES.forEach(isValid);
    const mismatchesOf = (value: unknown) => isValid(value) ? [] : linesOf(validate.errors ?? []);
    const made: Validate = Object.assign(mismatchesOf, { isValid });
    validators.set(schema, made);
    return made;
  }
  return { of, problems, annotated, places };
}
