/** @module Which changes of a document break clients, and how two services' answers differ. */

import assert from "node:assert/strict";
import { differences } from "../../contract/against.ts";
import { changesBetween } from "../../contract/diff.ts";
import type { Answer } from "../../contract/exchange.ts";

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

function answerOf(text: string, { status = 200, headers = {} } = {}): Answer {
  const body = new TextEncoder().encode(text);
  return { status, headers: new Headers(headers), body, text, ms: 1 };
}

Deno.test("answers that differ only in origins, ids and dates are alike", () => {
  const one = answerOf('{"docs":"https://a.example/docs"}', {
    headers: { date: "a", "x-request-id": "1", link: '<https://a.example/>; rel="canonical"' },
  });
  const other = answerOf('{"docs":"http://127.0.0.1:8000/docs"}', {
    headers: { date: "b", "x-request-id": "2", link: '<http://127.0.0.1:8000/>; rel="canonical"' },
  });
  assert.deepEqual(differences(one, other), []);
});

Deno.test("another status, a header more, another value, another body are told", () => {
  const one = answerOf("a", { headers: { vary: "Accept" } });
  assert.deepEqual(differences(one, answerOf("a", { status: 404 })), [
    "status 200 here, 404 there",
  ]);
  assert.deepEqual(differences(one, answerOf("a")), ["header vary only here"]);
  assert.deepEqual(differences(one, answerOf("a", { headers: { vary: "Origin" } })), [
    "header vary differs",
  ]);
  assert.deepEqual(differences(one, answerOf("b", { headers: { vary: "Accept" } })), [
    "the bodies differ",
  ]);
});
