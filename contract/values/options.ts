/** @module What generating values needs: the document and a validator. */

import type { ApiDocument } from "../document/document.ts";
import type { Json } from "../lib/json.ts";
import { createSchemas, type Schemas } from "../document/schemas.ts";

export class CannotGenerate extends Error {
  override readonly name = "CannotGenerate";
}

export interface ValueOptions {
  readonly document: Pick<ApiDocument, "resolve">;
  isValid(schema: Json, value: Json): boolean;
  /** Places whose limits could not be made, with the reason. */
  readonly left: Set<string>;
}

export function valueOptions({ document, schemas }: {
  readonly document: ApiDocument;
  readonly schemas: Schemas;
}): ValueOptions {
  const hasOwn = JSON.stringify(document.value).includes('"readOnly":true');
  const own = hasOwn ? createSchemas(document, true) : schemas;
  const isValid = (schema: Json, value: Json) =>
    own.of(schema).isValid(JSON.parse(JSON.stringify(value)));
  return { document, isValid, left: new Set() };
}
