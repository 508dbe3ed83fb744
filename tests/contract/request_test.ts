/** @module Requests: parameters and bodies as written, what is known, and the operations tier. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Media, Operation, Parameter } from "../../contract/document/document.ts";
import type { Json, JsonObject } from "../../contract/lib/json.ts";
import { jsonOf } from "../../contract/lib/exchange.ts";
import { readDocument } from "../../contract/document/read.ts";
import { createResourcePool } from "../../contract/request/resource_pool.ts";
import { callOf } from "../../contract/request/write.ts";
import { httpTier } from "../../contract/tiers/http.ts";
import { operationsTier } from "../../contract/tiers/operations.ts";
import { propertiesTier } from "../../contract/tiers/properties.ts";
import { type Override, respond, setUp } from "./small_service.ts";

const LIST = ["a", "b c"];
const OBJECT = { R: 100, G: 200 };

Deno.test("callOf() writes parameters by place, style and explode, as RFC 6570 does", () => {
  const rows: readonly (readonly [string, string, boolean, Json, string | undefined])[] = [
    ["path", "simple", false, LIST, "/x/a,b%20c"],
    ["path", "simple", true, OBJECT, "/x/R=100,G=200"],
    ["path", "label", false, LIST, "/x/.a,b%20c"],
    ["path", "label", true, OBJECT, "/x/.R=100.G=200"],
    ["path", "matrix", false, 5, "/x/;p=5"],
    ["path", "matrix", true, LIST, "/x/;p=a;p=b%20c"],
    ["path", "matrix", false, OBJECT, "/x/;p=R,100,G,200"],
    ["query", "form", true, LIST, "/x?p=a&p=b%20c"],
    ["query", "form", false, OBJECT, "/x?p=R,100,G,200"],
    ["query", "form", true, OBJECT, "/x?R=100&G=200"],
    ["query", "pipeDelimited", false, LIST, "/x?p=a%7Cb%20c"],
    ["query", "spaceDelimited", false, ["a", "b"], "/x?p=a%20b"],
    ["query", "deepObject", true, OBJECT, "/x?p%5BR%5D=100&p%5BG%5D=200"],
    ["query", "form", true, "ä&=", "/x?p=%C3%A4%26%3D"],
    ["header", "simple", false, [1, 2], "p: 1,2"],
    ["cookie", "form", true, "a1", "cookie: p=a1"],
    // Services differ in how they read these.
    ...["", "..", "a/b", "\0", null, [], ["a", ""], ["a,b"], [["a"]], "\ud800"]
      .map((value) => ["path", "simple", false, value as Json, undefined] as const),
    ["query", "spaceDelimited", false, LIST, undefined],
    ["header", "simple", false, " a", undefined],
    ["header", "simple", false, "ä", undefined],
    ["cookie", "form", true, "a;b", undefined],
  ];
  for (const [place, style, explode, value, wanted] of rows) {
    const path = place === "path" ? "/x/{p}" : "/x";
    const operation = operationOf({ path, parameters: [{ in: place, style, explode }] });
    const call = callOf(operation, { parts: { [place]: { p: value } } });
    const isField = place === "header" || place === "cookie";
    const written = isField ? call?.headers?.[0]?.join(": ") : call?.path;
    equal(written, wanted, `${place} ${style} ${explode} ${JSON.stringify(value)}`);
  }
});

const FORM = "application/x-www-form-urlencoded";
const PARTS =
  /name="f"; filename="f.bin"\r\n.*octet-stream\r\n\r\ndata\r\n.*name="n"\r\n\r\n1\r\n/s;

Deno.test("callOf() writes bodies by media type, and refuses what it cannot write", () => {
  const files = { properties: { f: { type: "string", format: "binary" } } };
  const rows: readonly (readonly [string, Json, string | RegExp | undefined, Partial<Media>?])[] = [
    ["application/problem+json", { a: 1 }, '{"a":1}'],
    ["application/x-ndjson", [{ a: 1 }, 2], '{"a":1}\n2\n'],
    ["text/plain", "a", "a"],
    ["text/plain", 5, undefined],
    ["application/xml", { a: 1 }, undefined],
    [FORM, { a: ["x", "y"], b: { c: 1 } }, "a=x&a=y&b=%7B%22c%22%3A1%7D"],
    [FORM, { a: ["x", "y"] }, "a=x,y", { encoding: { a: { style: "form", explode: false } } }],
    [FORM, { a: null }, undefined],
    ["multipart/form-data", { f: "data", n: 1 }, PARTS, { schema: files }],
  ];
  for (const [type, body, wanted, more] of rows) {
    const media = { type, schema: null, examples: [], encoding: {}, ...more };
    const call = callOf(operationOf({ path: "/x" }), { parts: { body }, media });
    if (wanted instanceof RegExp) equal(wanted.test(String(call?.body)), true, type);
    else equal(call?.body, wanted, type);
  }
});

function operationOf(
  { path, parameters = [] }: { path: string; parameters?: readonly Partial<Parameter>[] },
): Operation {
  return {
    ...{ id: "x", method: "POST", path, summary: "", tags: [], responses: [], bodies: [] },
    ...{ bodyRequired: false, secured: false },
    parameters: parameters.map((one) => ({
      ...{ name: "p", in: "query", required: true, schema: {}, style: "form", explode: true },
      ...{ media: undefined, example: undefined, ...one },
    })),
  };
}

const ITEMS = `
openapi: 3.1.0
info: { title: Items, version: "1" }
components: { securitySchemes: { key: { type: http, scheme: bearer } } }
paths:
  /items:
    post:
      operationId: create
      requestBody: { required: true, content: { application/json: { schema: {
        type: object,
        required: [name],
        properties: {
          name: { type: string, minLength: 2, maxLength: 5 },
          size: { type: integer, minimum: 1, maximum: 9 },
          from: { type: integer, minimum: 0, maximum: 9 } } } } } }
      responses: { 201: { description: x, content: { application/json: { schema: {} } }, links: {
        it: { operationId: linked, parameters: { key: "$response.body#/id" } } } },
        400: &any { description: x, content: { application/json: { schema: {} } } },
        404: *any, 422: *any }
    get:
      operationId: list
      parameters: [{ name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }]
      responses: { 200: *any, 404: *any, 422: *any }
  /items/{item_id}:
    parameters: [{ name: item_id, in: path, required: true, schema: &id { type: integer, minimum: 1 } }]
    get: { operationId: read, responses: &responses { 200: *any, 404: *any, 422: *any } }
    put:
      operationId: change
      requestBody: { required: true, content: { application/json: { schema: {
        type: object, required: [name], properties: { name: { type: string, maxLength: 9 } } } } } }
      responses: *responses
    delete: { operationId: remove, responses: *responses }
  /secrets:
    get: { operationId: secret, security: &key [{ key: [] }], responses: { 200: *any, 401: *any } }
    post: { operationId: addSecret, security: *key, responses: { 201: *any, 401: *any } }
  /things/{key}:
    parameters: [{ name: key, in: path, required: true, schema: *id }]
    get: { operationId: linked, responses: *responses }
  /notes/{note_id}:
    parameters: [{ name: note_id, in: path, required: true, schema: *id }]
    get: { operationId: note, responses: *responses }
`;

const TOKEN = "t0k3n-1";

/** A service that keeps its document, but for one fault. */
function items(fault: string): Override {
  const kept = new Map<number, unknown>();
  let last = 40_000_000;
  const names = new Set<unknown>();
  return ({ method, path, query, text, headers }) => {
    if (path === "/secrets" && /^(?:GET|POST)$/.test(method)) {
      const given = headers.get("authorization") ?? "";
      const isIn = given === `Bearer ${TOKEN}` || (fault === "public" && given === "") ||
        (fault === "unread" && given.startsWith("Bearer ")) ||
        (fault === "any" && method === "POST" && given !== "");
      return isIn
        ? respond(method === "GET" ? 200 : 201, {})
        : respond(401, {}, { "www-authenticate": "Bearer" });
    }
    const limit = new URLSearchParams(query).get("limit") ?? "1";
    const most = fault === "last" ? 49 : 50;
    if (path === "/items" && method === "GET") {
      const isFine = /^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= most;
      return respond(isFine ? 200 : 422, []);
    }
    const [, number] = /^\/(?:items|things)\/(\d+)$/.exec(path) ?? [];
    const key = Number(number);
    if (path === "/items" && method === "POST") {
      let body: { name?: unknown; size?: unknown; from?: unknown };
      try {
        body = JSON.parse(text);
      } catch {
        return respond(fault === "malformed" ? 201 : 422, {});
      }
      const { name, size = 1, from = 0 } = body ?? {};
      const most = fault === "long" ? 6 : fault === "short" ? 4 : 5;
      const isNumber = (value: unknown, low: number) => {
        const read = fault === "lax" && typeof value === "string" ? Number(value) : value;
        return Number.isInteger(read) && Number(read) >= low && Number(read) <= 9;
      };
      const isFine = typeof name === "string" && [...name].length >= 2 &&
        [...name].length <= most && isNumber(size, 1) && isNumber(from, 0);
      // Rules that no schema tells: names are unique, and `from` is below `size`.
      const isTaken = fault === "unique" && names.has(name);
      if (!isFine || isTaken || (fault === "order" && Number(from) >= Number(size))) {
        return respond(422, {});
      }
      names.add(name);
      if (fault !== "lost") kept.set(++last, body);
      return respond(201, { id: fault === "lost" ? 7 : last, ...body });
    }
    if (!/^\d+$/.test(number ?? "") || key < 1) {
      return respond(path.startsWith("/items/") ? 422 : 404, {});
    }
    if (fault === "large" && key > 2 ** 53) return respond(500, {});
    if (fault === "ghost" && method === "GET" && key > 2e9) return respond(200, {});
    if (!kept.has(key)) return respond(404, {});
    if (method === "PUT") {
      const { name } = (jsonOf({ text }) ?? {}) as { name?: unknown };
      if (typeof name !== "string" || [...name].length > 9) return respond(422, {});
      const changed = { id: key, ...kept.get(key) as JsonObject, name };
      if (fault !== "stale") kept.set(key, changed);
      return respond(200, changed);
    }
    const item = fault === "other" ? { ...kept.get(key) as JsonObject, size: 2 } : kept.get(key);
    if (fault === "tagged" && method !== "DELETE") return respond(200, item, { etag: '"1"' });
    if (method === "DELETE" && fault !== "kept") kept.delete(key);
    return respond(200, { id: key, ...item as JsonObject });
  };
}

const FAULTS = `
none
unique
public: credentials_required secret: it works without credentials
public: credentials_required addSecret: it works without credentials
unread: credentials_required secret: it works with a wrong token
unread: credentials_required addSecret: it works with a wrong token
any: credentials_required addSecret: it works with a wrong token
large: no_server_error read: status 500
large: no_server_error linked: status 500
large: no_server_error change: status 500
large: no_server_error remove: status 500
ghost: unknown_is_absent linked: an id that nothing has is answered, and the answer is 200
ghost: unknown_is_absent read: an id that nothing has is answered, and the answer is 200
stale: read_as_written read: name is not as change has shown it, and the answer is 200
other: read_as_written read: size is not as create has shown it, and the answer is 200
tagged: not_modified read: If-None-Match with the entity tag got 200 instead of 304
order: undocumented_rule create: from is 9, maximum is 9, which is valid, and the answer is 422
long: broken_refused create: name has 6 characters, maxLength is 5, and the answer is 201
last: valid_accepted list: limit is 50, maximum is 50, which is valid, and the answer is 422
short: valid_accepted create: name has 5 characters, maxLength is 5, which is valid, and the answer is 422
lax: coerced create: size is "1", type is integer, and the answer is 201
malformed: broken_refused create: body is left out, but required, and the answer is 201
malformed: broken_refused create: the body is malformed JSON, and the answer is 201
lost: created_is_found read: what create has created is not found, and the answer is 404
kept: use_after_delete read: what remove has deleted is still there, and the answer is 200
`;

Deno.test("the operations tier finds what a document promises and a service breaks, and nothing else", async () => {
  const rows = FAULTS.trim().split("\n").map((line) => line.split(/: (.*)/));
  for (const fault of new Set(rows.map(([name]) => name!))) {
    await using setting = setUp({
      override: items(fault),
      text: ITEMS,
      headers: [["Authorization", `Bearer ${TOKEN}`]],
    });
    await operationsTier.run(setting.session);
    const found = setting.findings.map((one) => `${one.check} ${one.where}: ${one.message}`)
      .filter((line) => !line.startsWith("media_refused"))
      .filter((line) =>
        fault !== "lost" || !/^never_accepted (?:read|linked|change|remove)/.test(line)
      );
    const wanted = rows.flatMap(([name, line]) => name === fault && line ? [line] : []);
    const unreached = "never_accepted note: no request was accepted: the first answer is 404 {}";
    deepEqual(found.sort(), [...wanted, unreached].sort(), fault);
  }
});

Deno.test("what changes data only goes to what the run has created", async () => {
  const others = new Map([[1, { name: "one" }], [2, { name: "two" }]]);
  const override: Override = (request) => {
    const [, id] = /^\/items\/(\d+)$/.exec(request.path) ?? [];
    if (request.path === "/items" && request.method === "GET") {
      return respond(200, [...others].map(([id, one]) => ({ id, ...one })));
    }
    const one = others.get(Number(id));
    if (one === undefined) return items("lost")(request);
    if (/^(?:PUT|DELETE)$/.test(request.method)) others.delete(Number(id));
    return respond(200, one);
  };
  await using setting = setUp({ override, text: ITEMS, examples: 20 });
  for (const tier of [httpTier, operationsTier, propertiesTier]) await tier.run(setting.session);
  equal(others.size, 2);
});

Deno.test("createResourcePool() fills paths with what creates, lists and locations have shown", () => {
  const paths = ["/flows", "/flows/{id}", "/flows/{flow_id}/runs", "/flows/{flow_id}/runs/{runId}"]
    .concat("/notes", "/notes/{identifier}");
  const one = { responses: { 200: { description: "x" } } };
  const methods = { get: one, post: one, delete: one };
  const document = readDocument(JSON.stringify({
    openapi: "3.1.0",
    paths: Object.fromEntries(paths.map((path) => [path, methods])),
  }));
  const known = createResourcePool(document);
  function learn(method: string, path: string, body: Json, location?: string, sent?: Json): void {
    const text = JSON.stringify(body);
    const call = { method, path, ...(sent === undefined ? {} : { body: JSON.stringify(sent) }) };
    const headers = new Headers(location === undefined ? {} : { location });
    const answer = { status: 200, headers, body: new Uint8Array(), text, ms: 1 };
    known.learn({ title: "x", tier: "x", base: "http://x/v1", call, answer });
  }
  learn("GET", "/flows", { items: [{ id: "listed" }] });
  deepEqual(known.inPath({ path: "/flows/{id}" }, { own: true }), {});
  deepEqual(known.inPath({ path: "/flows/{id}" }), { id: "listed" });
  learn("POST", "/flows", { id: 7 });
  learn("POST", "/flows/7/runs", null, "/v1/flows/7/runs/r1");
  deepEqual(known.inPath({ path: "/flows/{flow_id}/runs/{runId}" }, { own: true }), {
    flow_id: "7",
    runId: "r1",
  });
  equal(known.named("flow_id"), 7);
  learn("DELETE", "/flows/7", null);
  deepEqual(known.inPath({ path: "/flows/{id}" }, { own: true }), {});
  learn("POST", "/notes", { data: { slug: "first", author: { id: "not it" } } });
  deepEqual(known.inPath({ path: "/notes/{identifier}" }, { own: true }), { identifier: "first" });
  // Without an answer that tells, the names that were sent; the other one, if a path asks for it.
  learn("POST", "/notes", {}, undefined, { name: "sent", id: "x1" });
  deepEqual(known.inPath({ path: "/notes/{note}" }, { own: true }), { note: "x1" });
  const id = { path: "/notes/{note_id}" };
  deepEqual(known.inPath(id, { own: true, other: true }), { note_id: "sent" });
  // Values of the same name, for reading alone.
  learn("GET", "/flows", { tenant: "t", databases: ["d"] });
  const path = "/all/{tenant}/{database}";
  deepEqual(known.inPath({ path }), { tenant: "t", database: "d" });
  deepEqual(known.inPath({ path }, { own: true }), {});
});
