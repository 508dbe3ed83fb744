/**
 * @module The threat table of `.github/SECURITY.md` names only files and tests that exist. And what it
 * says of dependencies holds.
 */

import { deepStrictEqual as deepEqual, match, ok } from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url);

/** Rows of all tables with the three columns attack, defence and test. */
function rowsOf(markdown: string) {
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
    new RegExp(`\\btitle:\\s*"?${quoted}"?,`).test(text) ||
    new RegExp(`(?:Deno\\.test\\(|\\bname:)\\s*"${quoted.replaceAll('"', '\\\\"')}"`).test(text);
}

Deno.test("every line of the threat table has an attack, files that exist, and tests that exist", async () => {
  ok(ROWS.length > 45, `${ROWS.length} lines`);
  deepEqual(ROWS.filter(({ attack, tests }) => attack === "" || tests.length === 0), []);
  const missing = new Set<string>();
  for (const { files, tests } of ROWS) {
    for (const file of files) if (await textOf(file) === undefined) missing.add(file);
    for (const { file, name } of tests) {
      if (!hasTest(await textOf(file) ?? "", name)) missing.add(`${file}: ${name}`);
    }
  }
  deepEqual([...missing], []);
});

Deno.test("a test that is only mentioned is not found", () => {
  ok(hasTest("Deno.test(`a ${what} is held`, () => {})", "a ${what} is held"));
  ok(hasTest('Deno.test({\n  name: "a lead is held",', "a lead is held"));
  ok(hasTest("{ title: a lead, use: get }", "a lead"));
  ok(!hasTest("// a lead is held", "a lead is held"));
  ok(!hasTest('Deno.test("a lead is held twice", () => {})', "a lead is held"));
});

Deno.test("every dependency has an exact version, and the lock file its integrity", async () => {
  const { imports } = JSON.parse(await textOf("deno.json") ?? "");
  const { specifiers, npm } = JSON.parse(await textOf("deno.lock") ?? "");
  for (const specifier of Object.values<string>(imports)) {
    match(specifier, /^npm:(?:@[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/);
    ok(specifiers[specifier] !== undefined, `${specifier} is not locked`);
  }
  for (const [name, { integrity }] of Object.entries<{ integrity: string }>(npm)) {
    match(integrity ?? "", /^sha512-/, name);
  }
});
