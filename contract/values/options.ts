/** @module What generating values needs: the document, a validator and a limit. */

import type { ApiDocument, Json } from "../document.ts";
import { createSchemas, type Schemas } from "../schema.ts";

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
    ? createSchemas(document, { isRequest: true })
    : schemas;
  return {
    document,
    dotless,
    most: 100_000,
    isValid: (schema, value) => own.of(schema)(JSON.parse(JSON.stringify(value))).length === 0,
  };
}
