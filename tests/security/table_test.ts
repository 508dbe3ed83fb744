/**
 * @module The threat table of `.github/SECURITY.md` says nothing that is not there: every file, every
 * test. And what it says of dependencies holds.
 */

import { deepStrictEqual as deepEqual, match, ok } from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url);

interface Row {
  readonly attack: string;
  readonly files: readonly string[];
  readonly tests: readonly { readonly file: string; readonly name: string }[];
}

/** Rows of all tables with the three columns attack, defence and test. */
function rowsOf(markdown: string): Row[] {
  return markdown.split("\n").filter((line) => /^\| (?!attack|-)/.test(line)).map((line) => {
    const [attack = "", defence = "", test = ""] = line.split(" | ");
    return {
      attack: attack.replace(/^\| /, "").trim(),
      files: [...defence.matchAll(/`([\w/.]+\.\w+)`/g)].map(([, file]) => file!),
      tests: [...test.matchAll(/`([^`]+)`: “([^”]+)”/g)]
        .map(([, file, name]) => ({ file: file!, name: name! })),
    };
  });
}

const ROWS = rowsOf(await Deno.readTextFile(new URL(".github/SECURITY.md", ROOT)));

async function textOf(file: string): Promise<string | undefined> {
  return await Deno.readTextFile(new URL(file, ROOT)).catch(() => undefined);
}

/** Whether a file has a test of this name: `Deno.test(…)`, its `name:`, or the title of a case. */
function hasTest(text: string, name: string): boolean {
  const quoted = RegExp.escape(name);
  return new RegExp(`(?:Deno\\.test\\(|\\bname:)\\s*(["\`])${quoted}\\1`).test(text) ||
    new RegExp(`\\btitle: "?${quoted}"?,`).test(text) ||
    new RegExp(`(?:Deno\\.test\\(|\\bname:)\\s*"${quoted.replaceAll('"', '\\\\"')}"`).test(text);
}

Deno.test("the threat table can be read: every line has an attack, a defence and a test", () => {
  ok(ROWS.length > 45, `${ROWS.length} lines`);
  deepEqual(ROWS.filter(({ tests }) => tests.length === 0).map(({ attack }) => attack), []);
  deepEqual(ROWS.filter(({ attack }) => attack === "").length, 0);
});

Deno.test("every file that the threat table names is there", async () => {
  const missing = await Promise.all(
    ROWS.flatMap(({ files }) => files).map(async (file) =>
      await textOf(file) === undefined ? [file] : []
    ),
  );
  deepEqual([...new Set(missing.flat())], []);
});

Deno.test("every test that the threat table names is there, in the file that it names", async () => {
  const missing = await Promise.all(
    ROWS.flatMap(({ tests }) => tests).map(async ({ file, name }) =>
      hasTest(await textOf(file) ?? "", name) ? [] : [`${file}: ${name}`]
    ),
  );
  deepEqual([...new Set(missing.flat())], []);
});

Deno.test("a test that is only mentioned is not found", () => {
  ok(hasTest('Deno.test("a lead is held", () => {})', "a lead is held"));
  ok(hasTest("Deno.test(`a ${what} is held`, () => {})", "a ${what} is held"));
  ok(hasTest('Deno.test({\n  name: "a lead is held",', "a lead is held"));
  ok(hasTest("{ title: a lead, use: get }", "a lead"));
  ok(!hasTest("// a lead is held", "a lead is held"));
  ok(!hasTest('Deno.test("a lead is held twice", () => {})', "a lead is held"));
});

Deno.test("every dependency has an exact version, and the lock file its integrity", async () => {
  const { imports } = JSON.parse(await textOf("deno.json") ?? "");
  for (const specifier of Object.values<string>(imports)) {
    match(specifier, /^npm:(?:@[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/);
  }
  const { specifiers, npm } = JSON.parse(await textOf("deno.lock") ?? "");
  for (const specifier of Object.values<string>(imports)) {
    ok(specifiers[specifier] !== undefined, `${specifier} is not locked`);
  }
  for (const [name, { integrity }] of Object.entries<{ integrity: string }>(npm)) {
    match(integrity ?? "", /^sha512-/, name);
  }
});
