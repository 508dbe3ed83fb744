/** @module Dependencies have one exact version everywhere, and lock files their integrity. */

import { match, ok, strictEqual as equal } from "node:assert/strict";

/** The most packages that each folder may bring; the tests' many are on no user's machine. */
const MOST = { "": 25, "contract/": 25, "cli/init/": 25, "tests/": Infinity };

async function read(file: string) {
  return JSON.parse(await Deno.readTextFile(new URL(`../../${file}`, import.meta.url)));
}

Deno.test("every dependency has one exact version, and every lock file its integrity", async () => {
  const versions = new Map<string, string>();
  for (const [folder, most] of Object.entries(MOST)) {
    const { imports } = await read(`${folder}deno.json`);
    const { specifiers, npm } = await read(`${folder}deno.lock`);
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
