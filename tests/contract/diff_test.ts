/** @module Which changes of a document break clients. */

import assert from "node:assert/strict";
import { changesBetween } from "../../contract/diff.ts";

const DOCUMENT = {
  openapi: "3.1.1",
  info: { title: "Small", version: "1" },
  paths: {
    "/lead": {
      post: {
        operationId: "lead",
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Lead" } } },
        },
        responses: {
          "200": {
            description: "Taken.",
            content: { "application/json": { schema: { type: "object", required: ["ok"] } } },
          },
          "429": { description: "Later." },
        },
      },
    },
  },
  components: {
    schemas: {
      Lead: {
        type: "object",
        required: ["email"],
        properties: {
          email: { type: "string", maxLength: 254 },
          plan: { type: "string", enum: ["pro", "hosted"] },
        },
      },
    },
  },
};

// deno-lint-ignore no-explicit-any -- a document of any shape is bent
type Bend = (document: any) => void;

/** A change, and whether it breaks a client. */
const CHANGES: readonly (readonly [what: string, isBreaking: boolean, bend: Bend])[] = [
  ["a shorter limit", true, ({ components }) => {
    components.schemas.Lead.properties.email.maxLength = 100;
  }],
  ["a longer limit", false, ({ components }) => {
    components.schemas.Lead.properties.email.maxLength = 300;
  }],
  ["a value less", true, ({ components }) => {
    components.schemas.Lead.properties.plan.enum.pop();
  }],
  ["a member that becomes required", true, ({ components }) => {
    components.schemas.Lead.required.push("plan");
  }],
  ["an answer less", true, ({ paths }) => {
    delete paths["/lead"].post.responses["429"];
  }],
  ["an operation less", true, ({ paths }) => {
    delete paths["/lead"].post;
  }],
  ["an operation more", false, ({ paths }) => {
    paths["/lead"].get = { operationId: "read", responses: { "200": { description: "It." } } };
  }],
];

for (const [what, isBreaking, bend] of CHANGES) {
  Deno.test(`${what} ${isBreaking ? "breaks" : "does not break"} clients`, () => {
    const after = structuredClone(DOCUMENT);
    bend(after);
    const changes = changesBetween(DOCUMENT, after);
    assert.ok(changes.length > 0);
    assert.equal(changes[0]!.isBreaking, isBreaking, JSON.stringify(changes));
  });
}

Deno.test("words, examples and the document's own version are no changes", () => {
  const after = structuredClone(DOCUMENT);
  after.info.version = "2";
  after.paths["/lead"].post.responses["429"].description = "Please wait.";
  assert.deepEqual(changesBetween(DOCUMENT, after), []);
});
