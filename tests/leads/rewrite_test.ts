/** @module A file that cannot be rewritten is told as that, and keeps all its rows. */

import { rejects, strictEqual as equal } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { KvFailure } from "../../leads/kv/cause.ts";
import { rewriteFile } from "../../leads/kv/rewrite.ts";
import { withFolder } from "../support/service.ts";

const SOON = { patienceMs: 100 };

Deno.test("a file that another process holds is given up in time", () =>
  withFolder(async (folder) => {
    const file = `${folder}/kv.sqlite`;
    const kv = await Deno.openKv(file);
    await kv.set(["a"], 1);
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    await rejects(rewriteFile(file, SOON), new KvFailure("another process holds its lock"));
    other.exec("ROLLBACK; BEGIN; SELECT * FROM kv");
    // Its reader needs the log: rewritten, but not emptied.
    await rejects(rewriteFile(file, SOON), new KvFailure("another process holds its lock"));
    other.close();
    await rewriteFile(file, SOON);
    equal((await kv.get(["a"])).value, 1);
    kv.close();
  }));

Deno.test("a file that is not a database is told as that", () =>
  withFolder(async (folder) => {
    const file = `${folder}/text`;
    await Deno.writeTextFile(file, "this is not a database, but long enough");
    await rejects(rewriteFile(file, SOON), new KvFailure("the file is not a database"));
  }));
