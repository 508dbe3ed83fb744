/** @module What a start loads: the first answer waits for all of it. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { runDeno } from "./support/command.ts";

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly isDynamic?: boolean;
    readonly code?: { readonly specifier?: string };
  }[];
}

/** Every module that `main.ts` imports before it runs, as the runtime itself sees it. */
async function loadedAtStart(): Promise<ReadonlySet<string>> {
  const root = new URL("../", import.meta.url);
  const { code, out, err } = await runDeno(["info", "--json", "main.ts"], { cwd: root });
  equal(code, 0, err);
  const { modules } = JSON.parse(out) as { modules: Module[] };
  const bySpecifier = new Map(modules.map((module) => [module.specifier, module]));
  const seen = new Set<string>();
  function visit(specifier: string): void {
    if (seen.has(specifier)) return;
    seen.add(specifier);
    for (const { isDynamic, code } of bySpecifier.get(specifier)?.dependencies ?? []) {
      if (!isDynamic && code?.specifier !== undefined) visit(code.specifier);
    }
  }
  visit(new URL("main.ts", root).href);
  return seen;
}

/** Of Hono what routes are made of; each of its other parts is a line here. */
const HONO = ["", "/accepts", "/html", "/request-id", "/utils/url"];

Deno.test("a start loads Hono and no other library: each is imported when it is first needed", async () => {
  const loaded = await loadedAtStart();
  ok(loaded.size > 20, "the graph has been read");
  const libraries = [...loaded].filter((specifier) => !specifier.startsWith("file:"));
  const parts = libraries.map((specifier) => specifier.replace(/^npm:\/?hono@[\d.]+/, ""));
  deepEqual(parts.sort(), HONO);
});
