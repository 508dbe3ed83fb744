/**
 * @module Validates values against the schemas of a document by Ajv (JSON Schema 2020-12, formats
 * asserted), independently of the service's own validation.
 */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { ApiDocument, Json } from "./document.ts";

/** Returns the faults of a value, one line each; none if it is valid. */
export type Validate = (value: unknown) => string[];

/** Compiles schemas of a document, each once. */
export interface Schemas {
  of(schema: Json): Validate;
  /** @throws {Error} if there is no such component */
  component(name: string): Validate;
}

const DOCUMENT_URI = "https://document.invalid/";

export function createSchemas(document: ApiDocument): Schemas {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ ...document.value, $id: DOCUMENT_URI });
  const compiled = new Map<string, Validate>();

  function of(schema: Json): Validate {
    const key = JSON.stringify(schema);
    let validate = compiled.get(key);
    if (validate === undefined) {
      validate = linesOf(ajv.compile(absolute(schema) as object));
      compiled.set(key, validate);
    }
    return validate;
  }
  return {
    of,
    component(name) {
      if (!(name in document.schemas)) throw new Error(`Cannot find the schema ${name}`);
      return of({ $ref: `#/components/schemas/${name}` });
    },
  };
}

function linesOf(validate: ValidateFunction): Validate {
  return (value) => {
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const extra = params["additionalProperty"];
      const what = extra === undefined ? "" : `: ${String(extra)}`;
      return `${instancePath || "the value"} ${message ?? "is wrong"}${what}`;
    });
  };
}

/** Makes references absolute, so that a part of the document compiles on its own. */
function absolute(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(absolute);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) =>
      name === "$ref" && typeof value === "string" && value.startsWith("#")
        ? [name, DOCUMENT_URI + value]
        : [name, absolute(value)]
    ),
  );
}
