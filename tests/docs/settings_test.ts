/** @module `.env.example` and `docs/configure.md` have every variable with its default. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { parseConfig } from "../../config/config.ts";
import { EXAMPLE, NAMES, textOf } from "./document.ts";

Deno.test(".env.example names every variable, and sets the defaults", () => {
  deepEqual([...EXAMPLE.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name), NAMES);
  deepEqual(parseConfig(settings(EXAMPLE.replaceAll(/^#([A-Z_]+=)/gm, "$1"))), parseConfig({}));
});

Deno.test("docs/configure.md has a row for every variable, with its default", async () => {
  const rows = (await textOf("docs/configure.md")).matchAll(/^\| `([A-Z_]+)` +\| (?:`(.+?)`)?/gm);
  const table = [...rows].map(([, name, value = ""]) => [name!, value] as const);
  deepEqual(table.map(([name]) => name), NAMES);
  deepEqual(parseConfig(Object.fromEntries(table)), parseConfig({}));
});

/** `NAME=value` lines. */
function settings(text: string): Record<string, string> {
  const lines = text.matchAll(/^([A-Z_]+)=(?:"(.*)"|(.*))$/gm);
  return Object.fromEntries(
    lines.map(([, name, quoted, plain]) => [name, quoted ?? plain!.trim()]),
  );
}
