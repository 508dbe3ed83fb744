/**
 * @module What the site serves of the client is what the document and the source make of it: made
 * anew from the running service's own document and held against what it serves.
 */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { servedFiles } from "../../../site/client/build.ts";
import { withRunningService } from "../../support/service.ts";

async function textOf(url: string): Promise<string> {
  const response = await fetch(url);
  equal(response.status, 200, url);
  return await response.text();
}

Deno.test("the client and its types are those of the service's document, wherever it runs", () =>
  withRunningService(async ({ url }) => {
    const files = await servedFiles(await textOf(`${url}/openapi.json`));
    for (const [name, made] of Object.entries(files)) {
      // Not alike: run `deno task client`.
      equal(await textOf(`${url}/assets/${name}`), made, name);
    }
  }, { SITE_NAME: "Elsewhere", LOCAL_URL: "http://localhost:9999" }));

Deno.test("a change of the document changes the types", () =>
  withRunningService(async ({ url }) => {
    const text = await textOf(`${url}/openapi.json`);
    const before = (await servedFiles(text))["api.d.ts"];
    const changes = [
      ['"hosted"', '"hostile"'],
      ["createLead", "takeLead"],
      ["/api/health", "/api/state"],
      ["Retry-After", "Retry-Before"],
      ['"required":["ok","delivered"]', '"required":["ok"]'],
    ] as const;
    const unnoticed = [];
    for (const [from, to] of changes) {
      const after = (await servedFiles(text.replaceAll(from, to)))["api.d.ts"];
      if (after === before) unnoticed.push(from);
    }
    deepEqual(unnoticed, []);
  }));
