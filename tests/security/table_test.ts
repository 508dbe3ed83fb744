/** @module The claims of `.github/SECURITY.md` about files and dependencies. */

import { deepStrictEqual as deepEqual, match, ok } from "node:assert/strict";

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

Deno.test("every dependency has an exact version, and the lock file its integrity", async () => {
  const { imports } = JSON.parse(await read("deno.json"));
  const { specifiers, npm } = JSON.parse(await read("deno.lock"));
  deepEqual(Object.values<string>(imports).filter((one) => specifiers[one] === undefined), []);
  for (const specifier of Object.values<string>(imports)) {
    match(specifier, /^npm:(?:@[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/);
  }
  for (const [name, { integrity }] of Object.entries<{ integrity: string }>(npm)) {
    match(integrity ?? "", /^sha512-/, name);
  }
});
