/**
 * @module Reads any OpenAPI 3.1 document: operations, parameters, responses and bodies, references
 * resolved. What cannot be read is left out and is a problem. Sections are those of OpenAPI 3.1.
 */

import {
  type ApiDocument,
  arrayOf,
  DocumentError,
  isObject,
  type Json,
  type JsonObject,
  type Media,
  objectOf,
  type Operation,
  type Parameter,
  type Problem,
  type ResponseRule,
} from "../document.ts";
import { parse, YAMLParseError } from "yaml";
import { indexPaths } from "./paths.ts";
import { follow, pointer } from "../pointer.ts";

/** A part of the document cannot be read. */
class Unreadable extends DocumentError {
  constructor(message: string, readonly check: Problem["check"] = "document_valid") {
    super(message);
  }
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Header parameters of these names are ignored (§4.8.12.1). */
const IGNORED_HEADERS = ["accept", "content-type", "authorization"];

/**
 * Reads a document from its text, JSON or YAML.
 * @throws {DocumentError} if it is not an OpenAPI 3.1 document
 */
export function readDocument(text: string): ApiDocument {
  const root = rootOf(text);
  const { operations, problems } = readOperations(root);
  const operationsAt = indexPaths(operations);
  return {
    value: root,
    operations,
    problems,
    operationsAt,
    operationOf(method, path) {
      const found = operationsAt(path);
      const of = (wanted: string) => found.find((operation) => operation.method === wanted);
      return of(method) ?? (method === "HEAD" ? of("GET") : undefined);
    },
    schemas: objectOf(objectOf(root["components"])["schemas"]),
    resolve: (value) => resolve(root, value),
  };
}

function rootOf(text: string): JsonObject {
  let fault = "it has no member `openapi`";
  try {
    const value = parseText(text) as Json;
    if (isObject(value)) {
      const { openapi, swagger } = value;
      if (/^3\.1(?:\.|$)/.test(String(openapi))) return value;
      const other = openapi === undefined ? `Swagger ${swagger}` : `OpenAPI ${openapi}`;
      if (openapi ?? swagger) fault = `it is ${other}; the harness reads OpenAPI 3.1`;
    }
  } catch (error) {
    fault = (error as Error).message;
  }
  throw new DocumentError(`Cannot read the document: ${fault}`);
}

/**
 * Returns the value of a text.
 * @throws {SyntaxError} with the line and column of the fault
 */
function parseText(text: string): unknown {
  const start = text.trimStart();
  if (start.startsWith("<")) throw new SyntaxError("it is HTML or XML instead of JSON or YAML");
  let fault = "";
  if (/^[{[]/.test(start)) {
    try {
      return JSON.parse(text.replace(/^\uFEFF/, "")); // far faster than YAML, and not recursive
    } catch (error) {
      fault = (error as Error).message;
    }
  }
  try {
    const value = parse(text);
    JSON.stringify(value); // fails if it contains itself, by aliases
    return value;
  } catch (error) {
    const line = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    const [message = ""] = (fault || String((error as Error).message)).split(/ at line |:?\n/);
    const place = line === undefined ? "" : ` (line ${line.line}, column ${line.col})`;
    throw new SyntaxError(`it is neither JSON nor YAML: ${message}${fault ? "" : place}`);
  }
}

function readOperations(root: JsonObject) {
  const operations: Operation[] = [];
  const problems: Problem[] = [];
  const ids = new Set<string>();
  function attempt(where: string, read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const message = `this is not tested, because ${error.message}`;
      problems.push({ check: error.check, where, message });
    }
  }
  for (const [path, entry] of Object.entries(objectOf(root["paths"]))) {
    if (path.startsWith("x-")) continue;
    const place = pointer("paths", path);
    attempt(place, () => {
      if (!path.startsWith("/")) throw new Unreadable("a path begins with a slash (§4.8.8)");
      const item = merged(root, entry);
      for (const method of METHODS.filter((name) => Object.hasOwn(item, name))) {
        attempt(`${place}/${method}`, () => {
          const read = readOperation(root, { method, path, item });
          const id = ids.has(read.id) ? `${read.method} ${path}` : read.id;
          operations.push({ ...read, id });
          ids.add(id);
          if (id === read.id) return;
          const message = `the operationId ${read.id} is not unique (§4.8.10)`;
          problems.push({ check: "document_valid", where: `${place}/${method}`, message });
        });
      }
    });
  }
  return { operations, problems };
}

function readOperation(
  root: JsonObject,
  { method, path, item }: { method: string; path: string; item: JsonObject },
): Operation {
  const value = objectOf(item[method]);
  const body = merged(root, value["requestBody"]);
  const bodies = contentOf(root, body);
  bodies.forEach(({ schema }) => resolve(root, schema)); // without its schema, no request can be made
  // Those of the operation override those of the path (§4.8.10).
  const parameters = [item, value].flatMap((one) => arrayOf(one["parameters"]))
    .map((one) => readParameter(root, one))
    .filter((one) => one.in !== "header" || !IGNORED_HEADERS.includes(one.name.toLowerCase()))
    .map((one) => [`${one.in} ${one.name}`, one] as const);
  return {
    id: String(value["operationId"] ?? `${method.toUpperCase()} ${path}`),
    method: method.toUpperCase(),
    path,
    tags: arrayOf(value["tags"]).map(String),
    parameters: [...new Map(parameters).values()],
    responses: Object.entries(objectOf(value["responses"]))
      .filter(([status]) => !status.startsWith("x-"))
      .map(([status, response]) => readResponse(root, { status, response })),
    bodies,
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
  const { name, in: place, required, ...rest } = merged(root, parameter);
  if (typeof name !== "string" || typeof place !== "string") {
    throw new Unreadable("a parameter lacks its name or place (§4.8.12)");
  }
  const [media] = contentOf(root, rest);
  const schema = merged(root, rest["schema"] ?? media?.schema);
  const example = [...examplesOf(root, rest), ...media?.examples ?? []][0] ??
    schema["default"] ?? schema["example"] ?? arrayOf(schema["examples"])[0];
  const style = String(
    rest["style"] ?? (place === "query" || place === "cookie" ? "form" : "simple"),
  );
  const explode = typeof rest["explode"] === "boolean" ? rest["explode"] : style === "form";
  return {
    name,
    in: place,
    required: required === true || place === "path",
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
  const value = merged(root, response);
  return {
    status,
    headers: Object.entries(objectOf(value["headers"])).map(([name, header]) => {
      const rule = merged(root, header);
      const schema = rule["schema"] ?? contentOf(root, rule)[0]?.schema ?? true;
      return { name: name.toLowerCase(), required: rule["required"] === true, schema };
    }),
    content: contentOf(root, value),
  };
}

/** The examples of a media type, a header or a parameter; those that are elsewhere are left out. */
export function examplesOf(root: JsonObject, value: Json): Json[] {
  const { example, examples } = objectOf(value);
  const named = Object.values(objectOf(examples)).map((one) => {
    const target = follow(root, String(objectOf(one)["$ref"] ?? "").slice(1)) as Json;
    return objectOf("$ref" in objectOf(one) ? target : one)["value"];
  });
  return [example, ...named].filter((one) => one !== undefined);
}

function contentOf(root: JsonObject, value: JsonObject): readonly Media[] {
  return Object.entries(objectOf(value["content"])).map(([type, entry]) => {
    const media = merged(root, entry);
    return {
      type: typeOf(type),
      schema: media["schema"] ?? null,
      examples: examplesOf(root, media),
      encoding: objectOf(media["encoding"]),
    };
  });
}

/** A media type or range without parameters, in lower case. */
export function typeOf(text: string): string {
  const type = text.split(";", 1)[0]!.trim().toLowerCase();
  return type === "*" ? "*/*" : type;
}

function resolve(root: JsonObject, value: Json): Json {
  const seen = new Set<string>();
  let current = value;
  while (isObject(current) && typeof current["$ref"] === "string") {
    const reference = current["$ref"];
    if (!reference.startsWith("#")) {
      throw new Unreadable(`${reference} is outside the document`, "document_problem");
    }
    const target = follow(root, reference.slice(1)) as Json | undefined;
    if (target === undefined) throw new Unreadable(`${reference} does not exist`);
    if (seen.has(reference)) throw new Unreadable(`${reference} refers to itself`);
    seen.add(reference);
    current = target;
  }
  return current;
}

/** An object with its reference resolved; members beside the reference win. */
function merged(root: JsonObject, value: Json | undefined): JsonObject {
  const { $ref, ...rest } = objectOf(value);
  return $ref === undefined ? rest : { ...objectOf(resolve(root, { $ref })), ...rest };
}

/** The paths of the servers, without trailing slash, their variables replaced by the defaults. */
export function serverPaths({ value }: Pick<ApiDocument, "value">): string[] {
  const paths = arrayOf(value["servers"]).map(objectOf).flatMap(({ url, variables }) => {
    const filled = String(url ?? "/").replace(
      /\{([^{}]*)\}/g,
      (_, name: string) => String(objectOf(objectOf(variables)[name])["default"] ?? ""),
    );
    const { pathname } = URL.parse(filled, "http://document.invalid/") ?? {};
    return pathname === undefined ? [] : [pathname.replace(/\/+$/, "")];
  });
  return [...new Set(paths)];
}
