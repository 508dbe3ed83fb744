/** @module The table of paths: as a map would have it. */

import { strictEqual as equal } from "node:assert/strict";
import { pathTable } from "../../../routes/http/path_table.ts";

Deno.test("a path is found whole, whatever others are as long", () => {
  const entries = [["/", 1], ["/docs", 2], ["/de/x", 3], ["/dogs", 4], ["/docs/", 5]] as const;
  const table = pathTable<number>(entries);
  for (const [path, value] of entries) equal(table(path), value);
  for (const path of ["", "/doc", "/docz", "/Docs", "/docs//", "constructor"]) {
    equal(table(path), undefined);
  }
});

Deno.test("paths of one hash are told apart", () => {
  // Of two letters: 31 * 65 + 97 = 31 * 66 + 66.
  const table = pathTable<number>([["/Aa", 1], ["/BB", 2]]);
  equal(table("/Aa"), 1);
  equal(table("/BB"), 2);
  equal(table("/AaBB"), undefined);
});

Deno.test("an empty table has nothing", () => {
  equal(pathTable([])("/"), undefined);
});
