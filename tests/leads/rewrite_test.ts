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
    const text = `${folder}/text`;
    await Deno.writeTextFile(text, "this is not a database, but long enough");
    await rejects(rewriteFile(text, SOON), new KvFailure("the file is not a database"));
  }));
