/** @module Case files: how they are read and sent, and that each expectation finds deviations. */

import assert, { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { expand, markersIn } from "../../contract/case_call.ts";
import { parseCaseFile, readCases } from "../../contract/case_file.ts";
import { readDocument } from "../../contract/document.ts";
import type { Session } from "../../contract/session.ts";
import { runFile } from "../../contract/tiers/cases.ts";
import { documentOf, setUp } from "./small_service.ts";

const REAL = new URL("../../contract/cases/", import.meta.url);

/** Sends rows that change a thing; returns their number. */
function sendRows(session: Session, rows: readonly string[]): Promise<number> {
  const head = "tier: cases\nabout: things\noperation: addThing\ncases:\n  some:\n";
  const text = head + rows.map((row) => `    - ${row}\n`).join("");
  return runFile(session, parseCaseFile("some.yaml", text));
}

Deno.test("parseCaseFile() names the line of each issue", () => {
  const head = "tier: cases\nabout: x\ncases:\n  some:\n    - {title: a, want: 200}\n";
  const parse = (text: string) => () => parseCaseFile("some.yaml", text);
  assert.throws(
    parse(`${head}    - {title: b, want: 2000}\n    - {title: c, wnat: 200}\n`),
    /^CannotRun: Cannot use some\.yaml:\n {2}some\.yaml:6: want: [^]*some\.yaml:7: [^]*wnat/,
  );
  assert.throws(
    parse(`${head}  two:\n    - {title: a, want: 200}\n`),
    /:7: 0: another row is called a/,
  );
  assert.throws(parse("tier: cases\nabout: {x\n"), /some\.yaml:/);
  assert.throws(
    parse(`${head}    - {title: b, want: 200, text: x, hex: "00"}\n`),
    /more than one body/,
  );
});

Deno.test("expand() joins and repeats texts, with a counter", () => {
  const parts = ["a", { repeat: "{i},", times: 3 }, { repeat: "😀", times: 2 }];
  equal(expand({ join: parts }), "a0,1,2,😀😀");
});

Deno.test("the columns of a row define its requests", async () => {
  await using setting = setUp();
  const { session, requests } = setting;
  await sendRows(session, [
    "{title: set, set: {name: {repeat: y, times: 3}}, want: 200}",
    "{title: remove, remove: [name], want: 200}",
    `{title: text, text: '{{members},"__proto__":1} {body}', want: 200}`,
    "{title: json, json: [1, {repeat: z, times: 2}], want: 200}",
    "{title: hex, hex: ef bb bf, want: 200}",
    "{title: size, json: {}, size: 10, want: 200}",
    "{title: utf16, json: ü, as: utf-16le, want: 200}",
    "{title: latin, json: ü, as: latin1, want: 200}",
    "{title: untyped, headers: {content-type: null, x-y: {repeat: a, times: 3}}, want: 200}",
    "{send: 'PUT,PATCH /a /b', want: 200}",
  ]);
  const email = (text: string) => text.replaceAll(/a\d+@/g, "aN@");
  const base = '"email":"aN@example.invalid","name":"x"';
  deepEqual(requests.slice(0, 4).map(({ text }) => email(text)), [
    '{"email":"aN@example.invalid","name":"yyy"}',
    '{"email":"aN@example.invalid"}',
    `{${base},"__proto__":1} {${base}}`,
    '[1,"zz"]',
  ]);
  const hex = ["efbbbf", "7b7d2020202020202020", "2200fc002200", "22fc22"];
  deepEqual(requests.slice(4, 8).map(({ bytes }) => bytes.toHex()), hex);
  equal(requests[0]!.headers.get("content-type"), "application/json");
  equal(requests[8]!.headers.get("content-type"), null);
  equal(requests[8]!.headers.get("x-y"), "aaa");
  const sent = requests.slice(9).map(({ method, path }) => `${method} ${path}`);
  deepEqual(sent, ["PUT /a", "PUT /b", "PATCH /a", "PATCH /b"]);
  equal(new Set(requests.slice(0, 3).map(({ text }) => /a\d+@/.exec(text)?.[0])).size, 3);
});

Deno.test("a row finds every deviation, and nothing in a correct answer", async () => {
  await using setting = setUp();
  const { session, findings } = setting;
  await sendRows(session, [
    "{title: fits, want: 200}",
    "{title: too long, set: {name: xxxxxx}, want: 400 wrong, at: /name}",
    `{title: both, set: {name: xxxxxx, kind: Big, y: 1}, want: 400 wrong, at: ["", /kind, /name]}`,
    "{send: HEAD /api/none, want: 404 unknown}",
  ]);
  deepEqual(findings, []);
  await sendRows(session, [
    "{title: status, set: {name: xxxxxx}, want: 200}",
    "{title: code, set: {name: xxxxxx}, want: 400 broken}",
    "{title: place, set: {name: xxxxxx}, want: 400 wrong, at: /email}",
    "{title: places, set: {name: xxxxxx}, want: 400 wrong, at: [/name, /email]}",
    "{title: type, send: GET /api/alive, want: 200, type: text/html}",
    "{title: header, send: GET /api/alive, want: 200, gives: {x-y: z}}",
  ]);
  deepEqual(findings.map(({ check, message }) => [check, message]), [
    ["case", "some: got 400 wrong instead of 200"],
    ["case", "some: got 400 wrong instead of 400 broken"],
    ["case", "some (/email): the details name /name instead of /email"],
    ["case", "some (/name, /email): the details name /name instead of /name, /email"],
    ["case", "some: got application/json instead of text/html"],
    ["case", "some: x-y is missing instead of z"],
  ]);
});

Deno.test("only rows marked live are sent in production", async () => {
  await using setting = setUp({ live: true });
  const rows = ["{title: a, want: 200}", "{title: b, want: 200, live: true}"];
  equal(await sendRows(setting.session, rows), 1);
  equal(setting.requests.length, 1);
});

Deno.test("markersIn() returns long words that the document does not contain", () => {
  const body = '{"application":"additionalProperties","y":"contract-zz81"}';
  deepEqual(markersIn(body, readDocument(documentOf())), ["contract-zz81"]);
});

Deno.test("every accepted row has an address below .invalid", async () => {
  for (const { name, cases = {} } of await readCases(REAL)) {
    for (const row of Object.values(cases).flat()) {
      if (row.want !== "200") continue;
      for (const [address] of JSON.stringify(row).matchAll(/[^"\s,]@[\w.-]+/g)) {
        assert(/\.invalid$/i.test(address), `${name}: ${address}`);
      }
    }
  }
});
