/**
 * @module Rewrites a database file, so that what was removed from it cannot be read in it any more.
 *
 * Deno KV deletes rows, and SQLite leaves their bytes: in free pages, in the gaps of pages that are in use,
 * and in the write-ahead log, which also holds earlier versions of each lead. VACUUM would clear that,
 * but attaches a database, which Deno refuses without permission for the whole file system. So all rows
 * are taken out and put back in one transaction, with `secure_delete`, which overwrites what it frees;
 * then the log is emptied. A crash in between leaves all rows as they were. What is taken out goes to a
 * nameless file in the database's own folder: elsewhere it might not be as private, nor have the room.
 *
 * Readers go on meanwhile; writers wait, 1.6 s with 100,000 leads.
 */

import { explained } from "./cause.ts";

const PATIENCE_MS = 30_000;

/**
 * Rewrites the file, in a thread of its own: `node:sqlite` does not return before it is done.
 *
 * @param options.patienceMs how long other processes are given to let go of the file
 * @throws {KvFailure} where it could not be done; all rows are there even so
 */
export async function rewriteFile(
  path: string,
  { patienceMs = PATIENCE_MS }: { readonly patienceMs?: number } = {},
): Promise<void> {
  // As text, because to read a module's file would need a permission.
  const program = `${rewrite};
    onmessage = ({ data }) =>
      rewrite(data).then(() => postMessage(""), (error) => postMessage(String(error?.message)));`;
  const url = `data:text/javascript,${encodeURIComponent(program)}`;
  const thread = new Worker(url, { type: "module", name: "rewrite" });
  try {
    const fault = await new Promise<string>((resolve, reject) => {
      thread.onmessage = ({ data }) => resolve(data);
      thread.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
      thread.postMessage({ path, patienceMs });
    });
    if (fault !== "") throw explained(new Error(fault));
  } finally {
    thread.terminate();
  }
}

/** What the thread does. It is passed as text, and so refers to nothing outside. */
async function rewrite(
  { path, patienceMs }: { readonly path: string; readonly patienceMs: number },
): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(path, { timeout: patienceMs });
  const pragma = (name: string): number => Number(Object.values(db.prepare(name).get() ?? {})[0]);
  try {
    db.exec("PRAGMA main.secure_delete = ON");
    const folder = path.includes("/") ? path.replace(/[^/]*$/, "") || "/" : ".";
    db.exec(`PRAGMA temp_store_directory = '${folder.replaceAll("'", "''")}'`);
    db.exec("BEGIN IMMEDIATE");
    try {
      // Free pages that hold something yet: taken into use all of them, and freed again.
      db.exec("CREATE TABLE main.frontdoor_filler (bytes BLOB)");
      const fill = db.prepare("INSERT INTO main.frontdoor_filler VALUES (zeroblob(?))");
      const pageSize = pragma("PRAGMA main.page_size");
      for (let free = 1; free > 0; free = pragma("PRAGMA main.freelist_count")) {
        fill.run(Math.min(free, 4_096) * pageSize);
      }
      db.exec("DROP TABLE main.frontdoor_filler");

      const tables = db.prepare(
        "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
      ).all();
      for (const { name } of tables) {
        const table = `main."${name}"`;
        db.exec(`CREATE TEMP TABLE frontdoor_copy AS SELECT * FROM ${table}`);
        db.exec(`DELETE FROM ${table}`);
        db.exec(`INSERT INTO ${table} SELECT * FROM temp.frontdoor_copy`);
        db.exec("DROP TABLE temp.frontdoor_copy");
      }
      db.exec("COMMIT");
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK");
      db.exec("PRAGMA main.wal_checkpoint(TRUNCATE)"); // gives back the disk that the log has taken
      throw error;
    }
    // The first column tells whether another connection was in the way; SQLite does not always wait.
    const deadline = Date.now() + patienceMs;
    while (pragma("PRAGMA main.wal_checkpoint(TRUNCATE)") !== 0) {
      if (Date.now() > deadline) throw new Error("database is locked");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    db.close();
  }
}
