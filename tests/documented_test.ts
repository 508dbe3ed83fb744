/**
 * @module Everything that a file exports says what it is, in a doc comment that `deno doc` finds.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { filesBelow } from "../site/files.ts";
import { runDeno } from "./support/command.ts";

const ROOT = new URL("../", import.meta.url);

/** What is no source of a program: tests have their names, the browser's files their own checks. */
const OTHERS = /^(?:tests|static|node_modules)\//;

/** The part of `deno doc --json` that is looked at. */
interface Documentation {
  readonly nodes: Readonly<Record<string, { readonly symbols?: readonly Exported[] }>>;
}

interface Exported {
  readonly name: string;
  readonly declarations: readonly {
    readonly declarationKind: string;
    /** `reference` stands for what another file declares. */
    readonly kind: string;
    readonly jsDoc?: { readonly doc?: string };
  }[];
}

Deno.test("every exported function, class, value and type has a doc comment", async () => {
  const files = (await filesBelow(ROOT))
    .filter((file) => file.endsWith(".ts") && !OTHERS.test(file));
  const { code, out, err } = await runDeno(["doc", "--json", ...files], { cwd: ROOT });
  equal(code, 0, err);
  const { nodes }: Documentation = JSON.parse(out);
  const exported = Object.entries(nodes).flatMap(([file, { symbols = [] }]) =>
    symbols.flatMap(({ name, declarations }) =>
      declarations
        .filter(({ declarationKind, kind }) => declarationKind === "export" && kind !== "reference")
        .map(({ kind, jsDoc }) => ({
          name: `${file.slice(ROOT.href.length)}:${name} (${kind})`,
          isDocumented: Boolean(jsDoc?.doc?.trim()),
        }))
    )
  );
  ok(exported.length > 500, `the rooms have been read: ${exported.length}`);
  deepEqual(exported.filter(({ isDocumented }) => !isDocumented).map(({ name }) => name), []);
});
