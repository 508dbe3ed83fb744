/** @module GET /openapi.json and GET /api/openapi.yaml: one description in two notations. */

import {
  deepStrictEqual as deepEqual,
  fail,
  match,
  notStrictEqual as notEqual,
  strictEqual as equal,
} from "node:assert/strict";
import { parse, parseAllDocuments, parseDocument, visit } from "yaml";
import { SITE_URL, withApp } from "../support/test_app.ts";

/** Each notation and its media type. */
const NOTATIONS: readonly (readonly [string, string])[] = [
  ["/openapi.json", "application/json"],
  ["/api/openapi.yaml", "application/yaml"],
];

for (const [path, mediaType] of NOTATIONS) {
  Deno.test(`GET ${path} is ${mediaType}`, () =>
    withApp(async ({ request }) => {
      const response = await request(path);
      equal(response.status, 200);
      equal(response.headers.get("content-type"), mediaType);
      equal(response.headers.get("cache-control"), "public, max-age=300");
      equal(response.headers.get("access-control-allow-origin"), "*");
      equal(response.headers.get("x-content-type-options"), "nosniff");
      match(response.headers.get("etag") ?? "", /^"[\w-]+"$/);
      await response.bytes();
    }));

  Deno.test(`GET ${path} answers a matching If-None-Match with 304`, () =>
    withApp(async ({ request }) => {
      const first = await request(path);
      await first.body?.cancel();
      const etag = first.headers.get("etag") ?? "";
      for (const field of [etag, `"other", W/${etag}`, "*"]) {
        const again = await request(path, { headers: { "if-none-match": field } });
        equal(again.status, 304);
        equal(again.headers.get("content-type"), null);
        equal(again.headers.get("etag"), etag);
        equal(again.body, null);
      }
      const other = await request(path, { headers: { "if-none-match": '"other"' } });
      equal(other.status, 200);
      await other.body?.cancel();
    }));

  Deno.test(`GET ${path} does not negotiate: Accept changes nothing`, () =>
    withApp(async ({ request }) => {
      const plain = await request(path);
      for (const accept of ["text/html", "text/markdown", "application/yaml", "application/json"]) {
        const response = await request(path, { headers: { accept } });
        equal(response.status, 200);
        deepEqual([...response.headers], [...plain.headers]);
        await response.body?.cancel();
      }
      await plain.body?.cancel();
    }));
}

Deno.test("the YAML is the same value as the JSON", () =>
  withApp(async ({ request }) => {
    const json = await (await request("/openapi.json")).json();
    const yaml = await (await request("/api/openapi.yaml")).text();
    deepEqual(parse(yaml), json);
    deepEqual(parse(yaml, { version: "1.1" }), json);
  }));

Deno.test("the YAML is one document without anchors, aliases and tags", () =>
  withApp(async ({ request }) => {
    const yaml = await (await request("/api/openapi.yaml")).text();
    equal(parseAllDocuments(yaml).length, 1);
    visit(parseDocument(yaml), {
      Alias: () => fail("an alias"),
      Node: (_, node) => {
        if ("anchor" in node) equal(node.anchor, undefined);
        equal(/^tag:(?!yaml\.org,2002:)/.test(node.tag ?? ""), false);
      },
    });
  }));

Deno.test("the two notations have different entity tags", () =>
  withApp(async ({ request }) => {
    const tags = [];
    for (const [path] of NOTATIONS) {
      const { headers, body } = await request(path);
      await body?.cancel();
      tags.push(headers.get("etag"));
    }
    notEqual(tags[0], tags[1]);
  }));

Deno.test("both requests at the same time are answered, first use or not", () =>
  withApp(async ({ request }) => {
    const paths = [...NOTATIONS, ...NOTATIONS].map(([path]) => path);
    const answers = await Promise.all(paths.map((path) => request(path)));
    deepEqual(answers.map(({ status }) => status), [200, 200, 200, 200]);
    const texts = await Promise.all(answers.map((response) => response.text()));
    deepEqual(texts.slice(0, 2), texts.slice(2));
  }));

Deno.test("the document names this site and the local development server", () =>
  withApp(async ({ request }) => {
    const { servers, info } = await (await request("/openapi.json")).json();
    deepEqual(servers.map(({ url }: { url: string }) => url), [SITE_URL, "http://localhost:3000"]);
    equal(info.contact.url, `${SITE_URL}/developers`);
  }, { env: { LOCAL_URL: "http://localhost:3000" } }));

Deno.test("a site name with YAML's own characters survives both notations", () =>
  withApp(async ({ request }) => {
    const json = await (await request("/openapi.json")).json();
    const yaml = parse(await (await request("/api/openapi.yaml")).text());
    match(json.info.title, /^# Ünï: "co" & \{x\} /);
    deepEqual(yaml, json);
  }, { env: { SITE_NAME: '# Ünï: "co" & {x}' } }));
