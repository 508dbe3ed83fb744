/** @module Properties: a correct service has no findings, and a fault is found, shrunk and stored. */

import assert, { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { GoneError } from "../../contract/run/client.ts";
import { exampleCall } from "../../contract/request/operation_input.ts";
import { propertiesTier } from "../../contract/tiers/properties.ts";
import { type Override, respond, setUp, test } from "./small_service.ts";

Deno.test("a correct service has no findings and gets no real address; a seed repeats its requests", async () => {
  const sent: string[][] = [];
  for (let run = 0; run < 2; run++) {
    await using setting = setUp({ examples: 100 });
    await propertiesTier.run(setting.session);
    deepEqual(setting.findings.map(({ message }) => message), []);
    sent.push(
      setting.requests.map(({ method, path, query, text }) =>
        `${method} ${path}${path === "/api/list" ? `?${query}` : ` ${text}`}`
      ),
    );
  }
  deepEqual(sent[0], sent[1]);
  const patterns = [
    ...[/limit=1(?:&|$)/, /limit=50(?:&|$)/, /limit=0/, /limit=51/, /limit=1\.5/, /limit=true/],
    ...[/kind=small/, /kind=BIG/, /name=[^&]+&name=/, /^GET \/api\/list\?$/],
  ];
  deepEqual(patterns.filter((pattern) => !sent[0]!.some((line) => pattern.test(line))), []);
  const posts = sent[0]!.filter((line) => line.startsWith("POST /api/things {"));
  const emails = posts.flatMap((line) => /"email":"([^"@]+@[^"@]+)"/.exec(line)?.[1] ?? []);
  assert(emails.length >= 100);
  deepEqual(emails.filter((email) => !/\.invalid(?:\s|\\n)?$/i.test(email)), []);
});

Deno.test("exampleCall() gives a required parameter its documented value", async () => {
  await using setting = setUp();
  const operation = setting.session.contract.document.operationOf("GET", "/api/list")!;
  equal(exampleCall(setting.session, operation)?.path, "/api/list?limit=9");
});

test("a fault is found, shrunk and stored", async (corpus) => {
  const override: Override = ({ text }) =>
    /"name":"[^"\\]{6,}"/.test(text) ? respond(400, { code: "wrong" }) : undefined;
  await using setting = setUp({ override, corpus, examples: 300 });
  await propertiesTier.run(setting.session);
  const finding = setting.findings.find(({ check }) => check === "valid_accepted")!;
  assert.match(String(finding.exchange!.call.body), /"name":"[^"]{6,10}"}$/);
  const names = [...Deno.readDirSync(corpus)].map(({ name }) => name);
  assert(names.some((name) => finding.replay?.endsWith(name)), String(finding.replay));
});

test("a service that crashes is reported with the request that crashed it", async (corpus) => {
  await using setting = setUp({ corpus });
  const { session, findings } = setting;
  let isDead = false;
  const probe: typeof session.probe = async (call, purpose) => {
    isDead ||= /"kind":"small"/.test(String(call.body));
    if (isDead) throw new GoneError("dead", call);
    return await session.probe(call, purpose);
  };
  await assert.rejects(propertiesTier.run({ ...session, probe }), GoneError);
  equal(findings.length, 1);
  equal(findings[0]!.message, "a request got no answer: dead");
  equal(findings[0]!.where, "addThing");
  const [file] = [...Deno.readDirSync(corpus)];
  assert.match(await Deno.readTextFile(new URL(file!.name, corpus)), /\\"kind\\":\\"small\\"/);
});

Deno.test("an unsupported schema is a finding, and the other properties are tested", async () => {
  await using setting = setUp({ thing: { type: "string", pattern: "^(?<=a)b$" }, examples: 5 });
  await propertiesTier.run(setting.session);
  deepEqual(setting.findings.map(({ check, where, message }) => `${check} ${where}: ${message}`), [
    "schema_unknown addThing: requests cannot be generated: pattern ^(?<=a)b$ cannot be generated",
  ]);
  assert(setting.requests.some(({ path }) => path !== "/api/things"));
});

Deno.test("an error of the harness itself is thrown", async () => {
  await using setting = setUp();
  const probe = () => Promise.reject(new RangeError("broken harness"));
  await assert.rejects(propertiesTier.run({ ...setting.session, probe }), RangeError);
});
