/** @module Reads OpenAPI 3.1, whose sections are §. What cannot be read is left out: a problem. */

import {
  type ApiDocument,
  DOCUMENT_RULES,
  DocumentError,
  type Media,
  METHODS,
  type Operation,
  type Parameter,
  type Problem,
  type ResponseRule,
  type Source,
} from "./document.ts";
import { upgrade } from "@scalar/openapi-upgrader";
import {
  arrayOf,
  follow,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  pointer,
} from "../lib/json.ts";
import { parse } from "yaml";

class Unreadable extends DocumentError {
  constructor(message: string, readonly check: Problem["check"] = DOCUMENT_RULES.document_valid) {
    super(message);
  }
}

/** Header parameters of these names are ignored (§4.8.12.1). */
const IGNORED_HEADERS = ["accept", "content-type", "authorization"];

/** @throws {DocumentError} if the text, JSON or YAML, is not an OpenAPI 3.1 document */
export function readDocument(text: string): ApiDocument {
  const source = sourceOf(text);
  const root = source.version === "3.1" ? source.value : converted(source);
  const { operations, problems } = readOperations(root);
  const operationsAt = indexPaths(operations);
  return {
    value: root,
    source,
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

function sourceOf(text: string): Source {
  const value = objectOf(valueOf(text));
  const { openapi, swagger } = value;
  const name = openapi === undefined ? `Swagger ${swagger}` : `OpenAPI ${openapi}`;
  const [version] = /(?<=^OpenAPI )3\.[01](?![^.])|(?<=^Swagger )2\.0$/.exec(name) ?? [];
  if (version !== undefined) return { value, name, version: version as Source["version"] };
  const problem = openapi ?? swagger
    ? `it is ${name}; the harness reads OpenAPI 3.1, 3.0 and Swagger 2.0`
    : "it has no member `openapi`";
  throw new DocumentError(`Cannot read the document: ${problem}`);
}

function converted({ value, name }: Source): JsonObject {
  try {
    return upgrade(structuredClone(value), "3.1") as unknown as JsonObject;
  } catch (error) {
    const { message } = error as Error;
    throw new DocumentError(`Cannot convert the document from ${name}: ${message}`);
  }
}

function valueOf(text: string): Json {
  const [first = ""] = text.trimStart();
  if (first === "<") {
    throw new DocumentError("Cannot read the document: it is HTML or XML instead of JSON or YAML");
  }
  try {
    // Far faster than YAML, and not recursive.
    if (/[{[]/.test(first)) return JSON.parse(text.replace(/^\uFEFF/, ""));
    const value = parse(text);
    JSON.stringify(value); // fails if it contains itself, by aliases
    return value;
  } catch (error) {
    const [message] = (error as Error).message.split(/:?\n/);
    throw new DocumentError(`Cannot read the document: it is neither JSON nor YAML: ${message}`);
  }
}

function readOperations(root: JsonObject) {
  const operations: Operation[] = [];
  const problems: Problem[] = [];
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
          const isUnique = operations.every(({ id }) => id !== read.id);
          operations.push(isUnique ? read : { ...read, id: `${read.method} ${path}` });
          if (isUnique) return;
          const message = `the operationId ${read.id} is not unique (§4.8.10)`;
          const where = `${place}/${method}`;
          problems.push({ check: DOCUMENT_RULES.document_valid, where, message });
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
  const security = arrayOf(value["security"] ?? root["security"]);
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
    summary: String(value["summary"] ?? ""),
    tags: arrayOf(value["tags"]).map(String),
    parameters: [...new Map(parameters).values()],
    responses: Object.entries(objectOf(value["responses"]))
      .filter(([status]) => !status.startsWith("x-")).map((entry) => readResponse(root, entry)),
    bodies,
    bodyRequired: body["required"] === true,
    secured: security.length > 0 && security.every((one) => Object.keys(objectOf(one)).length > 0),
  };
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
  const usual = place === "query" || place === "cookie" ? "form" : "simple";
  const { style = usual, explode = style === "form" } = rest;
  return {
    ...{ name, in: place, schema, example, style: String(style), explode: explode === true },
    required: required === true || place === "path",
    media: media?.type,
  };
}

function readResponse(root: JsonObject, [status, response]: [string, Json]): ResponseRule {
  const value = merged(root, response);
  const headers = Object.entries(objectOf(value["headers"])).map(([name, header]) => {
    const rule = merged(root, header);
    const [media] = contentOf(root, rule);
    const schema = rule["schema"] ?? media?.schema ?? true;
    const required = rule["required"] === true;
    return { name: name.toLowerCase(), required, schema, media: media?.type };
  });
  const links = Object.values(objectOf(value["links"])).map((link) => {
    const { operationId, parameters } = merged(root, link);
    return { to: String(operationId), parameters: objectOf(parameters) };
  });
  return { status, headers, content: contentOf(root, value), links };
}

/** The examples of a media type, a header or a parameter; those that are elsewhere are left out. */
export function examplesOf(root: JsonObject, value: Json): Json[] {
  const { example, examples } = objectOf(value);
  const named = Object.values(objectOf(examples)).map(objectOf).map(({ $ref, value }) =>
    $ref === undefined ? value : objectOf(follow(root, String($ref).slice(1)) as Json)["value"]
  );
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
      throw new Unreadable(`${reference} is outside the document`, DOCUMENT_RULES.document_problem);
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

/** The items whose templates match a path, the most literal first (OpenAPI 3.1 §4.8.8.2). */
function indexPaths<T extends { readonly path: string }>(
  items: readonly T[],
): (path: string) => T[] {
  const templates = [...Map.groupBy(items, ({ path }) => path.split(/[?#]/, 1)[0]!)]
    .map(([path, members]) => ({ members, pattern: patternOf(path), rank: rankOf(path) }))
    .sort((a, b) => a.rank.localeCompare(b.rank));
  return (path) =>
    templates.filter(({ pattern }) => pattern.test(path)).flatMap(({ members }) => members);
}

/** One digit for each segment. */
function rankOf(path: string): string {
  return path.split("/")
    .map((part) => /^\{[^{}]*\}$/.test(part) ? 2 : /\{[^{}]*\}/.test(part) ? 1 : 0).join("");
}

function patternOf(path: string): RegExp {
  // As clients send it: what a URI cannot have is escaped (RFC 3986 §2.1).
  const sent = path.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent);
  const literals = sent.split(/(?:\{[^{}/]*\})+/).map(RegExp.escape);
  return new RegExp(`^${literals.join("[^/]+")}$`);
}
