/** @module Documents of older versions: found, converted, and named in their own terms. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Operation } from "../../contract/document/document.ts";
import { readDocument } from "../../contract/document/read.ts";
import { run } from "../../contract/run/run.ts";
import { documentTier } from "../../contract/tiers/document.ts";
import { type Override, planOf, respond, setUp } from "./small_service.ts";

Deno.test("OpenAPI 3.0 and Swagger 2.0 are converted, found, and named in their own terms", async () => {
  const thing = {
    type: "object",
    properties: { n: { type: "integer", minimum: 0, default: "x" } },
  };
  const body = (ref: string) => ({ description: "x", schema: { $ref: `#/definitions/${ref}` } });
  const swagger = {
    swagger: "2.0",
    info: { title: "x", version: "1" },
    paths: {
      "/a": {
        post: {
          parameters: [{ in: "body", name: "b", ...body("T") }],
          responses: { 200: body("T") },
        },
      },
    },
    definitions: { T: thing },
  };
  const old = {
    openapi: "3.0.3",
    info: { title: "x" },
    paths: {
      "/a": {
        get: {
          parameters: [{
            name: "q",
            in: "query",
            schema: { type: "integer", minimum: 0, exclusiveMinimum: true, nullable: true },
          }],
          responses: { 200: { description: "x" } },
        },
      },
    },
  };
  const [{ parameters }] = readDocument(JSON.stringify(old)).operations as [Operation];
  deepEqual(parameters[0]!.schema, { type: ["integer", "null"], exclusiveMinimum: 0 });
  const page = '<!doctype html><script>ui({ url: "/hidden/v9.json" })</script>';
  const rows = [
    ["/v3/api-docs", swagger, "/definitions/T/properties/n"],
    ["/hidden/v9.json", old, "document"],
  ] as const;
  for (const [place, value, where] of rows) {
    const override: Override = ({ path }) =>
      path === place
        ? respond(200, value)
        : path === "/docs"
        ? new Response(page, { headers: { "content-type": "text/html" } })
        : respond(404, {});
    await using setting = setUp({ override });
    const { open, left } = await run({
      ...planOf(setting.url, () => Promise.resolve()),
      tiers: [documentTier],
    });
    equal(
      left[0],
      `the document as it is: ${
        value === old ? "OpenAPI 3.0.3" : "Swagger 2.0"
      } was converted to OpenAPI 3.1`,
    );
    equal(
      open.some((one) => one.where === where),
      true,
      JSON.stringify(open.map(({ where }) => where)),
    );
  }
});
