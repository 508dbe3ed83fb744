/** @module Documents of older versions: found, converted, and named in their own terms. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { parse } from "yaml";
import { readDocument } from "../../contract/document/read.ts";
import { run } from "../../contract/run/run.ts";
import { documentTier } from "../../contract/tiers/document.ts";
import { planOf, respond, setUp } from "./small_service.ts";

const SWAGGER = parse(`
swagger: "2.0"
info: { title: x, version: "1" }
paths: { /a: { post: {
  parameters: [{ in: body, name: b, description: x, schema: &T { $ref: "#/definitions/T" } }],
  responses: { 200: { description: x, schema: *T } } } } }
definitions: { T: { type: object, properties: { n: { type: integer, minimum: 0, default: x } } } }
`);

const OLD = parse(`
openapi: 3.0.3
info: { title: x }
paths: { /a: { get: {
  parameters: [{ name: q, in: query, schema:
    { type: integer, minimum: 0, exclusiveMinimum: true, nullable: true } }],
  responses: { 200: { description: x } } } } }
`);

/** The place of a document, its name, and where something is wrong with it. */
const ROWS = [
  ["/v3/api-docs", SWAGGER, "Swagger 2.0", "/definitions/T/properties/n"],
  ["/hidden/v9.json", OLD, "OpenAPI 3.0.3", "document"],
] as const;

Deno.test("OpenAPI 3.0 and Swagger 2.0 are converted, found, and named in their own terms", async () => {
  const [operation] = readDocument(JSON.stringify(OLD)).operations;
  deepEqual(operation!.parameters[0]!.schema, { type: ["integer", "null"], exclusiveMinimum: 0 });
  const page = '<!doctype html><script>ui({ url: "/hidden/v9.json" })</script>';
  for (const [place, document, name, where] of ROWS) {
    await using setting = setUp({
      override({ path }) {
        if (path === place) return respond(200, document);
        if (path !== "/docs") return respond(404, {});
        return new Response(page, { headers: { "content-type": "text/html" } });
      },
    });
    const plan = planOf(setting.url, () => Promise.resolve());
    const { open, left } = await run({ ...plan, tiers: [documentTier] });
    equal(left[0], `the document as it is: ${name} was converted to OpenAPI 3.1`);
    ok(open.some((one) => one.where === where), JSON.stringify(open.map(({ where }) => where)));
  }
});
