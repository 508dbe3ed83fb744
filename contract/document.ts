/**
 * @module Reads any OpenAPI 3.1 document: operations, responses and schemas, references resolved.
 */

import { parse } from "yaml";
import { CannotRun } from "./cannot_run.ts";

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

export interface HeaderRule {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Json;
}

/** One media type of a request's or a response's body. */
export interface Media {
  /** In lower case, without parameters; may be a range such as `text/*`. */
  readonly type: string;
  /** Null without a schema. */
  readonly schema: Json | null;
  readonly examples: readonly Json[];
  /** How the members of a form are written, by name (OpenAPI 3.1 §4.8.15). */
  readonly encoding: JsonObject;
}

export interface ResponseRule {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  readonly headers: readonly HeaderRule[];
  /** Empty: no body. */
  readonly content: readonly Media[];
}

export interface Parameter {
  readonly name: string;
  /** `query`, `path`, `header` or `cookie`. */
  readonly in: string;
  readonly required: boolean;
  readonly schema: JsonObject;
  /** How it is written (OpenAPI 3.1 §4.8.12): `form`, `simple`, `deepObject`, …. */
  readonly style: string;
  readonly explode: boolean;
  /** The media type of its value if it has `content` instead of a style. */
  readonly media: string | undefined;
  /** A valid value, if the document has one. */
  readonly example: Json | undefined;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly responses: readonly ResponseRule[];
  /** Media types of the request body. Empty: no body. */
  readonly bodies: readonly Media[];
  readonly bodyRequired: boolean;
  /** Whether it needs credentials: no alternative of its `security` is empty (§4.8.10). */
  readonly secured: boolean;
}

export interface ApiDocument {
  readonly value: JsonObject;
  readonly operations: readonly Operation[];
  /** What could not be read; `operations` leaves it out. */
  readonly problems: readonly { readonly where: string; readonly message: string }[];
  /** The operation of a request; HEAD belongs to that of GET. */
  operationOf(method: string, path: string): Operation | undefined;
  /** The operations of a concrete path, whatever their method. */
  operationsAt(path: string): readonly Operation[];
  readonly schemas: JsonObject;
  /**
   * Follows a local reference; returns any other value unchanged.
   * @throws {DocumentError} if the reference cannot be resolved
   */
  resolve(value: Json): Json;
}

/** The document is missing or malformed. */
export class DocumentError extends CannotRun {
  override readonly name = "DocumentError";
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * Reads a document from its text, JSON or YAML.
 * @throws {DocumentError} if it is not an OpenAPI 3.1 document
 */
export function readDocument(text: string): ApiDocument {
  let value: Json;
  try {
    value = parse(text) as Json; // JSON is YAML
  } catch {
    throw new DocumentError("Cannot read the document: it is neither JSON nor YAML");
  }
  if (!isObject(value) || typeof value["openapi"] !== "string") {
    throw new DocumentError("Cannot read the document: it has no member `openapi`");
  }
  if (!value["openapi"].startsWith("3.1.")) {
    throw new DocumentError(`Cannot read the document: OpenAPI ${value["openapi"]} is not 3.1`);
  }
  const root = value;
  const operations = Object.entries(objectOf(root["paths"])).flatMap(([path, entry]) => {
    const item = objectOf(resolve(root, entry));
    return METHODS.filter((method) => method in item)
      .map((method) => readOperation(root, { method, path, item }));
  });
  const templates = operations.map((operation) => ({ operation, pattern: pathPattern(operation) }));

  function operationsAt(path: string): Operation[] {
    return templates.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation);
  }
  return {
    value: root,
    operations,
    problems: [],
    operationsAt,
    operationOf(method, path) {
      const wanted = method === "HEAD" ? "GET" : method;
      return operationsAt(path).find((operation) => operation.method === wanted);
    },
    schemas: objectOf(objectOf(root["components"])["schemas"]),
    resolve: (value) => resolve(root, value),
  };
}

function readOperation(
  root: JsonObject,
  { method, path, item }: { method: string; path: string; item: JsonObject },
): Operation {
  const value = objectOf(item[method]);
  const body = objectOf(resolve(root, value["requestBody"] ?? null));
  return {
    id: String(value["operationId"] ?? `${method.toUpperCase()} ${path}`),
    method: method.toUpperCase(),
    path,
    tags: arrayOf(value["tags"]).map(String),
    parameters: [...arrayOf(item["parameters"]), ...arrayOf(value["parameters"])]
      .map((one) => readParameter(root, one)),
    responses: Object.entries(objectOf(value["responses"])).map(([status, response]) =>
      readResponse(root, { status, response })
    ),
    bodies: contentOf(root, body),
    bodyRequired: body["required"] === true,
    secured: isSecured(value["security"] ?? root["security"]),
  };
}

function isSecured(security: Json | undefined): boolean {
  const alternatives = arrayOf(security);
  return alternatives.length > 0 &&
    alternatives.every((one) => Object.keys(objectOf(one)).length > 0);
}

function readParameter(root: JsonObject, parameter: Json): Parameter {
  const { name, in: place, required, ...rest } = objectOf(resolve(root, parameter));
  const [media] = contentOf(root, rest);
  const schema = objectOf(resolve(root, rest["schema"] ?? media?.schema ?? null));
  const example = [...examplesOf(root, rest), ...media?.examples ?? []][0] ??
    schema["default"] ?? arrayOf(schema["examples"])[0];
  const style = String(
    rest["style"] ?? (place === "query" || place === "cookie" ? "form" : "simple"),
  );
  const explode = typeof rest["explode"] === "boolean" ? rest["explode"] : style === "form";
  return {
    name: String(name),
    in: String(place),
    required: required === true,
    schema,
    style,
    explode,
    media: media?.type,
    example,
  };
}

function readResponse(
  root: JsonObject,
  { status, response }: { status: string; response: Json },
): ResponseRule {
  const value = objectOf(resolve(root, response));
  return {
    status,
    headers: Object.entries(objectOf(value["headers"])).map(([name, header]) => {
      const rule = objectOf(resolve(root, header));
      return {
        name: name.toLowerCase(),
        required: rule["required"] === true,
        schema: rule["schema"] ?? true,
      };
    }),
    content: contentOf(root, value),
  };
}

/** The examples of a media type, a header or a parameter. */
export function examplesOf(root: JsonObject, value: Json): Json[] {
  const { example, examples } = objectOf(value);
  const named = Object.values(objectOf(examples))
    .map((one) => objectOf(resolve(root, one))["value"] ?? null);
  return example === undefined ? named : [example, ...named];
}

function contentOf(root: JsonObject, value: JsonObject): readonly Media[] {
  return Object.entries(objectOf(value["content"])).map(([type, media]) => ({
    type: type.split(";", 1)[0]!.trim().toLowerCase(),
    schema: objectOf(media)["schema"] ?? null,
    examples: examplesOf(root, media),
    encoding: objectOf(objectOf(media)["encoding"]),
  }));
}

/** The documented media type for a concrete one: exact, or the narrowest range (§4.8.17). */
export function mediaFor(content: readonly Media[], type: string): Media | undefined {
  const range = `${type.split("/", 1)[0]}/*`;
  return [type, range, "*/*"].map((name) => content.find((media) => media.type === name))
    .find((media) => media !== undefined);
}

function resolve(root: JsonObject, value: Json): Json {
  let current = value;
  for (let hops = 0; isObject(current) && typeof current["$ref"] === "string"; hops++) {
    const pointer = current["$ref"];
    if (!pointer.startsWith("#/") || hops > 20) {
      throw new DocumentError(`Cannot follow the reference ${pointer}`);
    }
    let at: Json | undefined = root;
    for (const part of pointer.slice(2).split("/")) {
      const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
      at = isObject(at) ? at[name] : undefined;
    }
    if (at === undefined) throw new DocumentError(`Cannot follow the reference ${pointer}`);
    current = at;
  }
  return current;
}

function pathPattern({ path }: Operation): RegExp {
  const literal = path.split(/\{[^}]+\}/).map((part) =>
    part.replace(/[.*+?^$()[\]\\|{}]/g, "\\$&")
  );
  return new RegExp(`^${literal.join("[^/]+")}$`);
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

/** An operation's JSON body; undefined if it has none. */
export function jsonBodyOf({ bodies }: Operation): Media | undefined {
  return bodies.find(({ type }) => isJsonType(type));
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function arrayOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is an object, else an empty object. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
