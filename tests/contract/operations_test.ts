/** @module The operations tier on a service that keeps items, with one fault at a time. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { JsonObject } from "../../contract/lib/json.ts";
import { jsonOf } from "../../contract/lib/exchange.ts";
import { httpTier } from "../../contract/tiers/http.ts";
import { operationsTier } from "../../contract/tiers/operations.ts";
import { propertiesTier } from "../../contract/tiers/properties.ts";
import { type Override, respond, setUp } from "./small_service.ts";

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

const JOBS = `
openapi: 3.1.0
info: { title: Jobs, version: "1" }
paths:
  /settings:
    get: { operationId: settings, responses: { 200: &any {
      description: x, content: { application/json: { schema: {} } } } } }
  /jobs:
    post:
      operationId: start
      requestBody: { required: true, content: { application/json: { schema: {
        type: object, required: [region], properties: { region: { type: string } } } } } }
      responses: { 201: *any, 422: *any }
`;

Deno.test("an operation is tried with the values that answers had under the same names", async () => {
  const override: Override = ({ path, text }) => {
    if (path === "/settings") return respond(200, { region: "eu-7" });
    const { region } = (jsonOf({ text }) ?? {}) as { region?: unknown };
    return respond(region === "eu-7" ? 201 : 422, {});
  };
  await using setting = setUp({ override, text: JOBS });
  await operationsTier.run(setting.session);
  const unreached = setting.findings.filter(({ check }) => check === "never_accepted");
  deepEqual(unreached.map(({ where }) => where), []);
});
