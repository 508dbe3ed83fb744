/** @module The rooms of the harness: what each imports, and that nothing generic knows this service. */

import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { filesBelow } from "../../site/files.ts";

const CONTRACT = new URL("../../contract/", import.meta.url);

/** Each room imports itself and those before it, except where a row says which. */
const ROOMS: readonly (readonly [room: string, only?: readonly string[]])[] = [
  ["lib/"],
  ["document/"],
  ["values/"],
  ["oracle/"],
  ["request/"],
  ["run/"],
  ["tiers/"],
  ["report/", ["lib/", "oracle/", "run/"]],
  ["mutants/", ["lib/", "tiers/raw/"]],
  ["strangers/", ["lib/", "mutants/", "oracle/"]],
  ["service/", ["lib/", "document/", "oracle/", "request/", "run/", "tiers/"]],
  [""], // the programs
];

Deno.test("rooms import what is below them, and only programs import service/", async () => {
  const paths = (await filesBelow(CONTRACT.pathname)).filter((path) => path.endsWith(".ts"));
  ok(paths.length > 60);
  const violations = await Promise.all(paths.map(async (path) => {
    const text = await Deno.readTextFile(new URL(path, CONTRACT));
    const at = ROOMS.findIndex(([room]) => path.startsWith(room));
    const [room, only = ROOMS.slice(0, at).map(([below]) => below)] = ROOMS[at]!;
    const imports = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)"(\.{1,2}\/[^"]+)"/g)
      .map(([, local]) => new URL(local!, `file:///${path}`).pathname.slice(1));
    return imports
      .filter((target) => target !== "deno.json") // its version
      .filter((target) => ![room, ...only].some((one) => one !== "" && target.startsWith(one)))
      .map((target) => `${path} → ${target}`).toArray();
  }));
  deepEqual(violations.flat(), []);
});
