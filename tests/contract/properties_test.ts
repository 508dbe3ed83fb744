/** @module Properties: an honest service passes, and each fault is found, made small and kept. */

import assert, { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import fc from "fast-check";
import { UnreachableError } from "../../contract/client.ts";
import { readDocument } from "../../contract/document.ts";
import { createSchemas } from "../../contract/schema.ts";
import { breaksOf } from "../../contract/schema_breaks.ts";
import { valuesOf } from "../../contract/schema_values.ts";
import { propertiesTier } from "../../contract/tiers/properties.ts";
import { documentOf, type Override, respond, setUp, withFolder } from "./small_service.ts";

const DOCUMENT = readDocument(documentOf());
const THING = { $ref: "#/components/schemas/Thing" };
const fits = createSchemas(DOCUMENT).of(THING);

Deno.test("every generated value fits its schema, with an address that does not exist", () => {
  const made = fc.sample(valuesOf(THING, { document: DOCUMENT, dotless: false }), {
    numRuns: 500,
    seed: 42,
  });
  deepEqual(made.flatMap((value) => fits(value)), []);
  const emails = made.map((value) => (value as { email: string }).email);
  assert(emails.every((email) => email.endsWith(".invalid") && email.length <= 254));
  const characters = new Set(emails.join(""));
  assert([..."!#$%&'*+-/=?^_`{|}~"].every((special) => characters.has(special)));
  assert(made.some((value) => [...(value as { name: string }).name].length === 5));
});

Deno.test("changes break each rule of a schema", () => {
  const options = { document: DOCUMENT, dotless: false };
  const value = { email: "a@a.invalid", name: "x", kind: "big" };
  const changes = fc.sample(breaksOf(THING, options), { numRuns: 2_000, seed: 42 });
  const faults = new Set(
    changes.flatMap((change) => fits(JSON.parse(JSON.stringify(change(value))))),
  );
  for (
    const fault of [
      "the value must have required property 'name'",
      "the value must be object",
      "/email must be string",
      '/email must match format "email"',
      "/name must NOT have more than 5 characters",
      "/kind must be equal to one of the allowed values",
      "the value must NOT have additional properties: __proto__",
    ]
  ) assert(faults.has(fault), fault);
});

Deno.test("a correct service has no finding, and a seed repeats its requests", async () => {
  const sent: string[][] = [];
  for (let run = 0; run < 2; run++) {
    await using setting = setUp();
    await propertiesTier.run(setting.session);
    deepEqual(setting.findings.map(({ message }) => message), []);
    sent.push(setting.requests.map(({ method, path, text }) => `${method} ${path} ${text}`));
  }
  assert(sent[0]!.length >= 500);
  deepEqual(sent[0], sent[1]);
});

/** What is spoilt, the finding, and a body or a header that is as small as it can be. */
const SPOILT:
  readonly (readonly [what: string, check: string, override: Override, small: RegExp])[] = [
    [
      "lengths are counted in UTF-16",
      "valid_accepted",
      ({ text }) => /"name":"[^"\\]{6,}"/.test(text) ? respond(400, { code: "wrong" }) : undefined,
      /"name":"[^"]{6,10}"}$/,
    ],
    [
      "an unknown path is found",
      "unknown_not_found",
      ({ path }) => path.startsWith("/api/things/") ? respond(200, {}) : undefined,
      /^GET \/api\/things\//,
    ],
  ];

for (const [what, check, override, small] of SPOILT) {
  Deno.test(`a fault is found, shrunk and kept: ${what}`, async () => {
    await withFolder(async (folder) => {
      await using setting = setUp({ override, corpus: folder, examples: 300 });
      await propertiesTier.run(setting.session);
      const finding = setting.findings.find((one) => one.check === check);
      assert(finding?.exchange !== undefined, JSON.stringify(setting.findings.map((f) => f.check)));
      const { method, path, body } = finding.exchange.call;
      const shown = method === "POST"
        ? new TextDecoder().decode(bytesOf(body))
        : `${method} ${path}`;
      assert(small.test(shown), shown);
      const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
      assert(names.some((name) => name.startsWith(`${check}-`)), names.join());
      assert(names.some((name) => finding.replay?.endsWith(name)), String(finding.replay));
    });
  });
}

function bytesOf(body: string | Uint8Array | undefined): Uint8Array {
  return typeof body === "string" ? new TextEncoder().encode(body) : body ?? new Uint8Array();
}

Deno.test("a service that crashes is reported with the request that crashed it", async () => {
  await withFolder(async (folder) => {
    await using setting = setUp({ corpus: folder });
    const { session } = setting;
    let isDead = false;
    await propertiesTier.run({
      ...session,
      async probe(call, purpose) {
        isDead ||= /"kind":"small"/.test(String(call.body));
        if (isDead) throw new UnreachableError("dead", call);
        return await session.probe(call, purpose);
      },
    }).then(
      () => assert.fail("it went on"),
      (error) => assert(error instanceof UnreachableError),
    );
    equal(setting.findings.length, 1);
    assert(setting.findings[0]!.message.endsWith("there was no answer"));
    equal(setting.findings[0]!.where, "addThing");
    const [file] = [...Deno.readDirSync(folder)];
    const kept = await Deno.readTextFile(new URL(file!.name, folder));
    assert(kept.includes('\\"kind\\":\\"small\\"'), kept);
  });
});

Deno.test("a schema that no values can be generated for is a finding, and the rest is tried", async () => {
  const part = { $ref: "#/components/schemas/Thing" };
  const rows = [
    [{ type: "string", pattern: "^a+$" }, "pattern"],
    [{ type: "object", properties: { part } }, `a reference to itself, ${part.$ref}`],
  ] as const;
  for (const [thing, keyword] of rows) {
    await using setting = setUp({ thing, examples: 5 });
    await propertiesTier.run(setting.session);
    deepEqual(setting.findings.map(({ check, where, message }) => [check, where, message]), [
      ["schema_unknown", "addThing", `bodies cannot be generated: the schema has ${keyword}`],
    ]);
    assert(setting.requests.some(({ path }) => path !== "/api/things"));
  }
});

Deno.test("no request has a real address", async () => {
  await using setting = setUp({ examples: 300 });
  await propertiesTier.run(setting.session);
  const accepted = setting.requests.flatMap(({ path, text, headers }) => {
    if (path !== "/api/things" || !headers.get("content-type")?.includes("json")) return [];
    try {
      const { email } = JSON.parse(text);
      return typeof email === "string" && /^[^@]+@[^@]+$/.test(email) ? [email] : [];
    } catch {
      return [];
    }
  });
  assert(accepted.length >= 300);
  const others = accepted.filter((email) => !/\.invalid\s?$/i.test(email));
  deepEqual(others, []);
});

Deno.test("an error of the harness itself is thrown", async () => {
  await using setting = setUp();
  const probe = () => Promise.reject(new RangeError("broken harness"));
  await propertiesTier.run({ ...setting.session, probe }).then(
    () => assert.fail("it passed"),
    (error) => assert(error instanceof RangeError),
  );
});
