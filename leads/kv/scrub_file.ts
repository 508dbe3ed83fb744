/**
 * @module Rewrites a database file, so that removed data can no longer be read in it.
 *
 * SQLite leaves the bytes of deleted rows in free pages, in gaps of used pages and in the write-ahead
 * log, which also has earlier versions of each lead. VACUUM would clear them, but attaches a database,
 * which Deno allows only with permission for the whole file system. So all rows are copied out and back
 * in one transaction with `secure_delete`, which overwrites freed pages; then the log is truncated. The
 * copy is an unnamed file in the folder of the database, which is as private and has the space. Readers
 * are not blocked; writers wait, 1.6 s with 100,000 leads.
 */

import { explained } from "./error_reasons.ts";

/**
 * Rewrites the file in a worker, because `node:sqlite` is synchronous.
 *
 * @param options.patienceMs how long to wait for other processes to release the file
 * @throws {KvFailure} if that fails; no rows are lost
 */
export async function rewriteFile(
  path: string,
  { patienceMs = 30_000 }: { readonly patienceMs?: number } = {},
): Promise<void> {
  // As text: reading a module's file would need a permission.
  const program = `${rewrite};
    onmessage = ({ data }) =>
      rewrite(data).then(() => postMessage(""), (error) => postMessage(String(error?.message)));`;
  const url = `data:text/javascript,${encodeURIComponent(program)}`;
  const thread = new Worker(url, { type: "module", name: "rewrite" });
  try {
    const problem = await new Promise<string>((resolve, reject) => {
      thread.onmessage = ({ data }) => resolve(data);
      thread.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
      thread.postMessage({ path, patienceMs });
    });
    if (problem !== "") throw explained(new Error(problem));
  } finally {
    thread.terminate();
  }
}

/** Runs in the worker. It is passed as text, and so must not refer to anything outside. */
async function rewrite(
  { path, patienceMs }: { readonly path: string; readonly patienceMs: number },
): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(path);
  const pragma = (name: string): number => Number(Object.values(db.prepare(name).get() ?? {})[0]);
  /** SQLite itself would block all writers while it waits for a reader. */
  async function emptyLog(): Promise<void> {
    db.exec("PRAGMA busy_timeout = 0");
    const deadline = Date.now() + patienceMs;
    // The first column says whether another connection blocked it.
    while (pragma("PRAGMA main.wal_checkpoint(TRUNCATE)") !== 0) {
      if (Date.now() > deadline) throw new Error("database is locked");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  try {
    // While a reader holds the log, each rewrite would make it longer by the whole database.
    await emptyLog();
    db.exec(`PRAGMA busy_timeout = ${patienceMs}`);
    db.exec("PRAGMA main.secure_delete = ON");
    const folder = path.includes("/") ? path.replace(/[^/]*$/, "") || "/" : ".";
    db.exec(`PRAGMA temp_store_directory = '${folder.replaceAll("'", "''")}'`);
    db.exec("BEGIN IMMEDIATE");
    try {
      // Allocate all free pages, which may have old data, and free them again.
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
      await emptyLog().catch(() => {}); // frees the disk space of the log
      throw error;
    }
    await emptyLog();
  } finally {
    db.close();
  }
}
