/** @module Which changes of a document break clients. */

import { strictEqual as equal } from "node:assert/strict";
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
        responses: { "200": { description: "Accepted." }, "429": { description: "Later." } },
      },
    },
  },
  components: {
    schemas: {
      Lead: { type: "object", properties: { email: { type: "string", maxLength: 254 } } },
    },
  },
};

// deno-lint-ignore no-explicit-any -- a document of any shape is edited
type Edit = (document: any) => void;

Deno.test("changesBetween() separates breaking from other changes and omits annotations", () => {
  const rows: readonly (readonly [isBreaking: boolean | undefined, edit: Edit])[] = [
    [true, ({ components }) => components.schemas.Lead.properties.email.maxLength = 100],
    [false, ({ components }) => components.schemas.Lead.properties.email.maxLength = 300],
    [true, ({ paths }) => delete paths["/lead"].post.responses["429"]],
    [false, ({ paths }) => paths["/lead"].get = { operationId: "read", responses: {} }],
    [undefined, ({ info }) => info.version = "2"],
    [undefined, ({ paths }) => paths["/lead"].post.responses["429"].description = "Wait."],
  ];
  for (const [isBreaking, edit] of rows) {
    const after = structuredClone(DOCUMENT);
    edit(after);
    equal(changesBetween(DOCUMENT, after)[0]?.isBreaking, isBreaking, String(edit));
  }
});
