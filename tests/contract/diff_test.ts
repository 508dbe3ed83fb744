/** @module Which changes of a document break clients, and how they are named. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { changesBetween } from "../../contract/document/changes.ts";
import { documentOf } from "./small_service.ts";

const DOCUMENT = JSON.parse(documentOf());

// deno-lint-ignore no-explicit-any -- edits a document of any shape
type Parts = Readonly<Record<"root" | "thing" | "list" | "add", any>>;
type Edit = (parts: Parts) => unknown;

function edited(document: unknown, edit: Edit) {
  const root = structuredClone(document) as Parts["root"];
  const { "/api/things": { post: add }, "/api/list": list } = root.paths;
  edit({ root, add, list, thing: root.components.schemas.Thing });
  return root;
}

function changes(edit: Edit, prepare: Edit = () => {}): string[] {
  const before = edited(DOCUMENT, prepare);
  return changesBetween(before, edited(before, edit)).map(({ text }) => text);
}

const ROWS: readonly (readonly [edit: Edit, ...texts: readonly string[]])[] = [
  [({ thing }) => thing.properties.name.maxLength = 3, "name maxLength 5 → 3 (breaking)"],
  [({ thing }) => thing.properties.name.maxLength = 30, "name maxLength 5 → 30"],
  [({ thing }) => delete thing.properties.name.maxLength, "name maxLength 5 removed"],
  [({ thing }) => thing.properties.sizes.items.minimum = 1, "sizes[] minimum 0 → 1 (breaking)"],
  [({ thing }) => thing.properties.kind.enum.pop(), "kind value small removed (breaking)"],
  [({ thing }) => thing.properties.kind.enum.push("tiny"), "kind value tiny added"],
  [({ thing }) => thing.required.push("kind"), "kind now required (breaking)"],
  [
    ({ thing }) => thing.properties.name.type = ["string", "null"],
    'name type string → ["string","null"]',
  ],
  [({ add }) => delete add.responses["400"], ", answer 400: removed (breaking)"],
  [({ add }) => delete add.requestBody.required, "the body now optional"],
  [
    ({ add }) => add.security = [{ key: [] }],
    "security none removed (breaking)",
    "security key added",
  ],
  [({ add }) => add.responses["400"].description = "Wait."],
  [({ root }) => root.info.version = "2"],
];

Deno.test("changesBetween() names place, keyword, old and new, and whether clients break", () => {
  for (const [edit, ...texts] of ROWS) {
    const wanted = texts.map((text) =>
      `POST /api/things${text.startsWith(",") ? "" : ": "}${text}`
    );
    deepEqual(changes(edit), wanted, String(edit));
  }
});

Deno.test("changesBetween() judges requests and answers apart, and reports a component once", () => {
  function before({ thing, list, add }: Parts): void {
    thing.properties.next = { $ref: "#/components/schemas/Thing" };
    for (const one of [list.get, add]) {
      one.responses["200"].content["application/json"].schema = thing.properties.next;
    }
  }
  const edit: Edit = ({ thing }) => {
    thing.properties.kind.enum.push("tiny");
    thing.properties.price.maximum = 1;
    delete thing.properties.sizes;
  };
  deepEqual(changes(edit, before), [
    "GET /api/list, answer 200 and 1 more operation: kind value tiny added (breaking)",
    "GET /api/list, answer 200 and 1 more operation: sizes removed (breaking)",
    "POST /api/things and 1 more operation: price maximum 1.5 → 1 (breaking)",
  ]);
});

Deno.test("changesBetween() compares parameters and operations", () => {
  const limit = { name: "page", in: "query", required: true, schema: { type: "integer" } };
  deepEqual(changes(({ list }) => list.parameters[0] = limit), [
    "GET /api/list: query parameter limit removed (breaking)",
    "GET /api/list: query parameter page added, required (breaking)",
  ]);
  const rename: Edit = ({ list }) => {
    list.put = list.get;
    delete list.get;
  };
  deepEqual(changes(rename), ["GET /api/list: removed (breaking)", "PUT /api/list: added"]);
});

Deno.test("changesBetween() takes documents with broken references and no sense", () => {
  const odd = [
    { paths: { "/a": { $ref: "#/paths/~1a" }, "/b": null, "/c": [] } },
    { paths: { "/a": { get: { parameters: [null, 3, { $ref: "#/x%" }], security: "no" } } } },
    { paths: { "/a": { get: { responses: { 200: { $ref: "other.yaml#/a" } }, requestBody: 1 } } } },
  ];
  for (const one of odd) for (const other of odd) changesBetween(one as never, other as never);
});
