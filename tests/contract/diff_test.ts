/** @module Which changes of a document break clients. */

import { strictEqual as equal } from "node:assert/strict";
import { changesBetween } from "../../contract/diff.ts";
import { documentOf } from "./small_service.ts";

const DOCUMENT = JSON.parse(documentOf());

// deno-lint-ignore no-explicit-any -- edits a document of any shape
type Edit = (document: any) => void;

Deno.test("changesBetween() separates breaking from other changes and omits annotations", () => {
  const rows: readonly (readonly [isBreaking: boolean | undefined, edit: Edit])[] = [
    [true, ({ components }) => components.schemas.Thing.properties.name.maxLength = 3],
    [false, ({ components }) => components.schemas.Thing.properties.name.maxLength = 300],
    [true, ({ paths }) => delete paths["/api/things"].post.responses["400"]],
    [false, ({ paths }) => paths["/api/things"].get = { operationId: "read", responses: {} }],
    [undefined, ({ info }) => info.version = "2"],
    [undefined, ({ paths }) => paths["/api/things"].post.responses["400"].description = "Wait."],
  ];
  for (const [isBreaking, edit] of rows) {
    const after = structuredClone(DOCUMENT);
    edit(after);
    equal(changesBetween(DOCUMENT, after)[0]?.isBreaking, isBreaking, String(edit));
  }
});
