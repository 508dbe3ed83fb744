/** @module rewriteFile() reports a file that it cannot rewrite, and loses no rows. */

import { rejects, strictEqual as equal } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { KvFailure } from "../../leads/kv/cause.ts";
import { rewriteFile } from "../../leads/kv/rewrite.ts";
import { withFolder } from "../support/service.ts";

const SOON = { patienceMs: 100 };

Deno.test("rewriteFile() gives up on a locked file in time, without losing rows", () =>
  withFolder(async (folder) => {
    const file = `${folder}/kv.sqlite`;
    const kv = await Deno.openKv(file);
    await kv.set(["a"], 1);
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    await rejects(rewriteFile(file, SOON), new KvFailure("another process holds its lock"));
    other.exec("ROLLBACK; BEGIN; SELECT * FROM kv");
    // A reader needs the log, which cannot be truncated.
    await rejects(rewriteFile(file, SOON), new KvFailure("another process holds its lock"));
    other.close();
    await rewriteFile(file, SOON);
    equal((await kv.get(["a"])).value, 1);
    kv.close();
  }));

Deno.test("rewriteFile() reports a file that is not a database", () =>
  withFolder(async (folder) => {
    const file = `${folder}/text`;
    await Deno.writeTextFile(file, "this is not a database, but long enough");
    await rejects(rewriteFile(file, SOON), new KvFailure("the file is not a database"));
  }));
