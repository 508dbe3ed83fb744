/** @module Requests: parameters and bodies as written, and what is known of resources. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Media, Operation, Parameter } from "../../contract/document/document.ts";
import type { Json } from "../../contract/lib/json.ts";
import { readDocument } from "../../contract/document/read.ts";
import { createResourcePool } from "../../contract/request/resource_pool.ts";
import { callOf } from "../../contract/request/write.ts";

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
