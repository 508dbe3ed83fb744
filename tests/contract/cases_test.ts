/** @module Cases as data: how they are read, what they send, and that each expectation bites. */

import assert, { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { made, markersIn } from "../../contract/case_call.ts";
import { CaseError, type CaseFile, parseCaseFile, readCases } from "../../contract/case_file.ts";
import { readDocument } from "../../contract/document.ts";
import { runFile } from "../../contract/tiers/cases.ts";
import { documentOf, say, setUp } from "./small_service.ts";

const REAL = new URL("../../contract/cases/", import.meta.url);

/** A file whose rows change the thing, from the lines of its rows. */
function things(...rows: readonly string[]): CaseFile {
  const head = "tier: cases\nabout: things\noperation: addThing\ncases:\n  some:\n";
  return parseCaseFile("some.yaml", head + rows.map((row) => `    - ${row}\n`).join(""));
}

function faultsOf(text: string): string {
  try {
    parseCaseFile("some.yaml", text);
  } catch (error) {
    assert(error instanceof CaseError);
    return error.message;
  }
  return "";
}

Deno.test("a wrong column is named with file and line", () => {
  const head = "tier: cases\nabout: x\ncases:\n  some:\n    - {title: a, want: 200}\n";
  const message = faultsOf(`${head}    - {title: b, want: 2000}\n    - {title: c, wnat: 200}\n`);
  assert(message.includes("some.yaml:6: want: "), message);
  assert(message.includes("some.yaml:7: "), message);
  assert(message.includes("wnat"), message);
  assert(!message.includes("some.yaml:5"), message);
});

Deno.test("two rows of one title are a fault", () => {
  const head = "tier: cases\nabout: x\ncases:\n  one:\n    - {title: a, want: 200}\n";
  const message = faultsOf(`${head}  two:\n    - {title: a, want: 200}\n`);
  assert(message.includes("some.yaml:7: 0: another row is called a"), message);
});

Deno.test("what is no YAML, and a row with two bodies, are faults", () => {
  assert(faultsOf("tier: cases\nabout: {x\n").includes("some.yaml:"));
  const rows = 'cases:\n  one:\n    - {title: a, want: 200, text: x, hex: "00"}\n';
  assert(faultsOf(`tier: cases\nabout: x\n${rows}`).includes("more than one body"));
});

Deno.test("made texts repeat, count and join", () => {
  equal(
    made({ join: ["a", { repeat: "{i},", times: 3 }, { repeat: "😀", times: 2 }] }),
    "a0,1,2,😀😀",
  );
});

Deno.test("a row sends what its columns say", async () => {
  await using setting = setUp();
  const { session, got } = setting;
  await runFile(
    session,
    things(
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
    ),
  );
  const email = (text: string) => text.replaceAll(/a\d+@/g, "aN@");
  const base = '"email":"aN@example.invalid","name":"x"';
  deepEqual(got.slice(0, 4).map(({ text }) => email(text)), [
    '{"email":"aN@example.invalid","name":"yyy"}',
    '{"email":"aN@example.invalid"}',
    `{${base},"__proto__":1} {${base}}`,
    '[1,"zz"]',
  ]);
  deepEqual(got.slice(4, 8).map(({ bytes }) => bytes.toHex()), [
    "efbbbf",
    "7b7d2020202020202020",
    "2200fc002200",
    "22fc22",
  ]);
  equal(got[0]!.headers.get("content-type"), "application/json");
  equal(got[8]!.headers.get("content-type"), null);
  equal(got[8]!.headers.get("x-y"), "aaa");
  deepEqual(got.slice(9).map(({ method, path }) => `${method} ${path}`), [
    "PUT /a",
    "PUT /b",
    "PATCH /a",
    "PATCH /b",
  ]);
  equal(new Set(got.slice(0, 3).map(({ text }) => /a\d+@/.exec(text)?.[0])).size, 3);
});

Deno.test("a row that is right finds nothing, one that is wrong says what came", async () => {
  await using setting = setUp();
  const { session, findings } = setting;
  await runFile(
    session,
    things(
      "{title: fits, want: 200}",
      "{title: too long, set: {name: xxxxxx}, want: 400 wrong, at: /name}",
      `{title: both, set: {name: xxxxxx, kind: Big, y: 1}, want: 400 wrong, at: ["", /kind, /name]}`,
      "{send: HEAD /api/none, want: 404 unknown}",
    ),
  );
  deepEqual(findings, []);
  await runFile(
    session,
    things(
      "{title: status, set: {name: xxxxxx}, want: 200}",
      "{title: code, set: {name: xxxxxx}, want: 400 broken}",
      "{title: place, set: {name: xxxxxx}, want: 400 wrong, at: /email}",
      "{title: places, set: {name: xxxxxx}, want: 400 wrong, at: [/name, /email]}",
      "{title: type, send: GET /api/alive, want: 200, type: text/html}",
      "{title: header, send: GET /api/alive, want: 200, gives: {x-y: z}}",
    ),
  );
  deepEqual(findings.map(({ check, message }) => [check, message]), [
    ["case", "some: got 400 wrong instead of 200"],
    ["case", "some: got 400 wrong instead of 400 broken"],
    ["case", "some (/email): the details name /name instead of /email"],
    ["case", "some (/name, /email): the details name /name instead of /name, /email"],
    ["case", "some: got application/json instead of text/html"],
    ["case", "some: x-y is missing instead of z"],
  ]);
});

Deno.test("in production only the rows for it are sent", async () => {
  await using setting = setUp({ live: true });
  const file = things("{title: a, want: 200}", "{title: b, want: 200, live: true}");
  equal(await runFile(setting.session, file), 1);
  equal(setting.got.length, 1);
});

Deno.test("an answer that repeats a long word of the body is found", async () => {
  await using setting = setUp({
    spoil: ({ text }) => say(400, { code: "wrong", issues: [], was: text }),
  });
  await runFile(setting.session, things("{title: a, set: {name: contract-zz81}, want: 400 wrong}"));
  assert(setting.findings.some(({ check }) => check === "no_echo"));
});

Deno.test("only long words of a body that the document does not hold are looked for", () => {
  const document = readDocument(documentOf());
  deepEqual(markersIn('{"application":"additionalProperties","y":"contract-zz81"}', document), [
    "contract-zz81",
  ]);
});

/**
 * Categories of the catalogue of bad inputs (facts of contract testing), by the names that they
 * have here.
 */
const CATALOGUE = [
  ...["boundaries", "types", "enumerations", "presence", "new_fields", "mass_assignment"],
  ...["prototypes", "duplicate_keys", "leading", "trailing", "within", "alone", "homoglyphs"],
  ...["lone_surrogates", "names", "almost_valid", "totally_wrong", "injection", "body"],
  ...["malformed", "nesting", "encodings", "content_type", "accept", "undocumented", "webdav"],
  ...["invented", "lower_case", "unknown", "spellings"],
];

Deno.test("the catalogue of bad inputs has every category and 250 rows that are refused", async () => {
  const files = await readCases(REAL);
  const rows = files.flatMap(({ cases = {} }) =>
    Object.entries(cases).flatMap(([category, members]) =>
      members.map(({ want }) => ({ category, isRefused: Number(want.slice(0, 3)) >= 400 }))
    )
  );
  const refused = rows.filter(({ isRefused }) => isRefused);
  assert(refused.length >= 250, `${refused.length} rows`);
  const categories = new Set(refused.map(({ category }) => category));
  deepEqual(CATALOGUE.filter((category) => !categories.has(category)), []);
  const negotiation = files.flatMap((file) => file.negotiation?.rows ?? []);
  assert(negotiation.length >= 30, `${negotiation.length} rows of Accept`);
});

Deno.test("a row of the real cases is one line", async () => {
  for (const { name, cases = {}, negotiation } of await readCases(REAL)) {
    const text = await Deno.readTextFile(new URL(name, REAL));
    const lines = text.split("\n").filter((line) => /^ +- \{.*\}$/.test(line)).length;
    equal(lines, Object.values(cases).flat().length + (negotiation?.rows.length ?? 0), name);
  }
});

Deno.test("every real row that is accepted has an address below .invalid", async () => {
  for (const { name, cases = {} } of await readCases(REAL)) {
    for (const row of Object.values(cases).flat()) {
      if (row.want !== "200") continue;
      const addresses = JSON.stringify(row).match(/[^"\s,]@[\w.-]+/g) ?? [];
      for (const address of addresses) {
        assert(/\.invalid$/i.test(address), `${name}: ${address}`);
      }
    }
  }
});
