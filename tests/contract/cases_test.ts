/** @module Case files: what their readers refuse. `deno task contract:mutants` proves the expectations. */

import assert, {
  deepStrictEqual as deepEqual,
  match,
  notStrictEqual as notEqual,
  strictEqual as equal,
} from "node:assert/strict";
import { parseCaseFile, readCases } from "../../contract/tiers/case_file.ts";
import { readDocument } from "../../contract/document/read.ts";
import type { Session } from "../../contract/run/session.ts";
import { run } from "../../contract/run/run.ts";
import { createLauncher } from "../../contract/service/instances/launcher.ts";
import { TIERS } from "../../contract/service/tiers.ts";
import { readProfile } from "../../contract/oracle/profile.ts";
import { markersIn, runFile } from "../../contract/tiers/cases.ts";
import { documentOf, setUp } from "./small_service.ts";

const REAL = new URL("../../contract/service/", import.meta.url);

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

Deno.test("each request of a row has its own address; a row sends every method to every path", async () => {
  await using setting = setUp();
  await sendRows(setting.session, [
    "{title: set, set: {name: <y*3>}, want: 200}",
    "{title: header, headers: {content-type: null, x-y: <a*3>}, want: 200}",
    "{title: json, json: [1, 'z<#,*3><😀*2>'], want: 200}",
    "{title: utf16, json: ü, as: utf-16le, want: 200}",
    "{title: latin, json: ü, as: latin1, want: 200}",
    "{send: 'PUT,PATCH /a /b', want: 200}",
  ]);
  const [set, header, json, utf16, latin, ...others] = setting.requests;
  match(set!.text, /^\{"email":"a\d+@example\.invalid","name":"yyy"\}$/);
  const fields = ["content-type", "x-y"].map((name) => header!.headers.get(name));
  deepEqual(fields, [null, "aaa"]); // fetch would add text/plain
  equal(json!.text, '[1,"z0,1,2,😀😀"]');
  deepEqual([utf16, latin].map((one) => one!.bytes.toHex()), ["2200fc002200", "22fc22"]);
  notEqual(header!.text.split(",")[0], set!.text.split(",")[0]);
  const sent = others.map(({ method, path }) => `${method} ${path}`);
  deepEqual(sent, ["PUT /a", "PUT /b", "PATCH /a", "PATCH /b"]);
});

Deno.test("a row has places for the values of a choice, and is not sent without its members", async () => {
  await using setting = setUp({ choices: ["kind"] });
  const sent = await sendRows(setting.session, [
    '{title: "each {kind}", set: {kind: "{kind}"}, want: 200}',
    '{title: "others {other kind}", set: {kind: "{other kind}"}, want: 200}',
    '{title: "upper {upper kind}", set: {kind: "{upper kind}"}, want: 400}',
    "{title: without the first, set: {size: 1}, want: 200}",
    "{title: at it, set: {size: 0}, want: 400, at: /size}",
    '{title: has it, set: {kind: x}, want: 400, at: ""}',
    "{title: nothing, json: {}, want: 400, at: /*}",
  ]);
  equal(sent, 6);
  const kinds = setting.requests.map(({ text }) => JSON.parse(text).kind);
  deepEqual(kinds, ["big", "small", "small", "BIG", "SMALL", undefined]);
  deepEqual(setting.notes, [
    "2 rows of some.yaml not sent: the document has no size",
    "1 row of some.yaml not sent: the document has kind",
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
        assert(/[.@]invalid$/i.test(address), `${name}: ${address}`);
      }
    }
  }
});

Deno.test("--live holds on this service with at most 200 requests", async () => {
  const launcher = createLauncher(new URL("../../", import.meta.url));
  const { url } = await launcher.start((await readProfile(REAL)).limits?.unlimited);
  const plan = { live: true, complete: false, seed: 42, examples: 100, launcher: undefined };
  const place = { url, cases: REAL, corpus: undefined, waivers: [], tiers: TIERS };
  const { open, exchanges } = await run({ ...plan, ...place }).finally(() => launcher.stopAll());
  deepEqual(open.map(({ where, message }) => `${where}: ${message}`), []);
  assert(exchanges >= 150 && exchanges <= 200, `${exchanges} requests`);
});
