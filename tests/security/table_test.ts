/** @module The claims of `.github/SECURITY.md` about files and dependencies. */

import { match, ok, strictEqual as equal } from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url);

function read(file: string): Promise<string> {
  return Deno.readTextFile(new URL(file, ROOT));
}

Deno.test("every row of the threat table has three cells and names files that exist", async () => {
  const rows = (await read(".github/SECURITY.md")).split("\n")
    .filter((line) => /^\| (?!attack |mistake |---)/.test(line));
  ok(rows.length > 45, `${rows.length} rows`);
  for (const row of rows) {
    const [attack, , testedIn] = row.slice(2, -2).split(" | ").map((cell) => cell.trim());
    match(testedIn ?? "", /^`[\w/]+\.\w+`/, attack);
    for (const [, file] of row.matchAll(/`([\w/.]+\.(?:ts|yaml|json))`/g)) {
      ok((await Deno.stat(new URL(file!, ROOT))).isFile, file);
    }
  }
});

const CONFIGS: readonly (readonly [folder: string, packages: number])[] = [
  ["", 25],
  ["contract/", 25],
  ["cli/init/", 25],
  ["tests/", Infinity],
];

Deno.test("every dependency has one exact version, and every lock file its integrity", async () => {
  const versions = new Map<string, string>();
  for (const [folder, most] of CONFIGS) {
    const { imports } = JSON.parse(await read(`${folder}deno.json`));
    const { specifiers, npm } = JSON.parse(await read(`${folder}deno.lock`));
    for (const [name, specifier] of Object.entries<string>(imports)) {
      match(specifier, /^npm:(?:@[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/);
      ok(specifier in specifiers, `${folder}deno.lock has no ${specifier}`);
      equal(specifier, versions.get(name) ?? specifier);
      versions.set(name, specifier);
    }
    for (const [name, { integrity }] of Object.entries<{ integrity: string }>(npm)) {
      match(integrity ?? "", /^sha512-/, name);
    }
    ok(Object.keys(npm).length <= most, `${folder}deno.lock has more than ${most} packages`);
  }
});
