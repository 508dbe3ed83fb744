/** @module An OpenAPI 3.1 document as the harness sees it; `document/read.ts` reads it. */

import { CannotRun } from "../lib/cannot_run.ts";
import { declareRules, type RuleName } from "../lib/rules.ts";
import type { Json, JsonObject } from "../lib/json.ts";

export const DOCUMENT_RULES = declareRules({
  document_valid: "breach: the document is valid OpenAPI 3.1",
  document_problem: "coverage: every operation of the document can be read",
  schema_unusable: "coverage: every schema of the document can be used",
});

export interface Media {
  /** In lower case, without parameters; may be a range such as `text/*`. */
  readonly type: string;
  readonly schema: Json | null;
  readonly examples: readonly Json[];
  /** How the members of a form are written, by name (OpenAPI 3.1 §4.8.15). */
  readonly encoding: JsonObject;
}

export interface ResponseRule {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  readonly headers: readonly (Pick<Parameter, "name" | "required" | "media"> & { schema: Json })[];
  /** Empty: no body. */
  readonly content: readonly Media[];
  /** To which operation values of the answer lead, by its parameters (OpenAPI 3.1 §4.8.20). */
  readonly links: readonly { readonly to: string; readonly parameters: JsonObject }[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: JsonObject;
  /** How it is written (OpenAPI 3.1 §4.8.12): `form`, `simple`, `deepObject`, …. */
  readonly style: string;
  readonly explode: boolean;
  /** The media type of its value if it has `content` instead of a style. */
  readonly media: string | undefined;
  readonly example: Json | undefined;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly responses: readonly ResponseRule[];
  readonly bodies: readonly Media[];
  readonly bodyRequired: boolean;
  /** Whether it needs credentials: no alternative of its `security` is empty (§4.8.10). */
  readonly secured: boolean;
}

export interface Problem {
  readonly check: RuleName;
  /** A JSON Pointer, an operation id, or a method and a path. */
  readonly where: string;
  /** Expectation and observation in one line, without values that differ from run to run. */
  readonly message: string;
}

export interface Source {
  readonly value: JsonObject;
  /** `Swagger 2.0`, or `OpenAPI` with the version that it names. */
  readonly name: string;
  readonly version: "2.0" | "3.0" | "3.1";
}

export interface ApiDocument {
  readonly value: JsonObject;
  readonly source: Source;
  readonly operations: readonly Operation[];
  /** What could not be read; `operations` leaves it out. */
  readonly problems: readonly Problem[];
  /** The operation of a request; HEAD belongs to that of GET unless it has its own. */
  operationOf(method: string, path: string): Operation | undefined;
  /**
   * The operations of a concrete path, whatever their method. Those of the most specific template are
   * first; a service may try the others when that lacks the method.
   */
  operationsAt(path: string): readonly Operation[];
  readonly schemas: JsonObject;
  /** Follows a local reference. @throws {DocumentError} if it cannot be resolved */
  resolve(value: Json): Json;
}

export class DocumentError extends CannotRun {
  override readonly name = "DocumentError";
}

export const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** The documented media type for a concrete one: exact, or the narrowest range (§4.8.17). */
export function mediaFor(content: readonly Media[], type: string): Media | undefined {
  const range = `${type.split("/", 1)[0]}/*`;
  return [type, range, "*/*"].map((name) => content.find((media) => media.type === name))
    .find((media) => media !== undefined);
}

/** The documented response for a status: exact, by class, or default (OpenAPI 3.1 §4.8.16). */
export function responseFor(operation: Operation, status: number): ResponseRule | undefined {
  const by = (name: string) =>
    operation.responses.find((response) => response.status.toUpperCase() === name);
  return by(String(status)) ?? by(`${Math.floor(status / 100)}XX`) ?? by("DEFAULT");
}

/** Whether a media type, without parameters and in lower case, is JSON. */
export function isJsonType(type: string): boolean {
  return /[/+]json$/.test(type);
}

export function jsonBodyOf({ bodies }: Operation): Media | undefined {
  return bodies.find(({ type }) => isJsonType(type));
}
