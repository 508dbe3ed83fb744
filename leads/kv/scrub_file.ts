/**
 * @module Rewrites a database file while it is in use, so that removed data can no longer be read in it.
 *
 * Why and how is in docs/architecture.md. No transaction holds the file for much longer than SLICE_MS, and
 * writers get as long a turn between two of them. The table of KV is complete at any time. The file keeps
 * the space of the second copy, for the next rewrite.
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
  /** How long one transaction may hold the file: writers look for their turn every 25 to 100 ms. */
  const SLICE_MS = 40;
  /** Readers may keep the log from being reused. */
  const LOG_PAGES = 16_000;
  /** A process that has not written for so long has died. */
  const DEAD_MS = 10_000;
  const TRIGGERS = [["insert", "new"], ["update", "new"], ["delete", "old"]] as const;
  const TABLES = ["frontdoor_old", "frontdoor_new", "frontdoor_changed", "frontdoor_free"];

  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(path);
  const owner = crypto.randomUUID();
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const number = (sql: string): number => Number(Object.values(db.prepare(sql).get() ?? {})[0]);
  const exists = (name: string) =>
    db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(name) !== undefined;

  /** @param work is undone if another process has taken over, which clears the tables of this one */
  function transaction<T>(work: () => T, isOwned = true): T {
    db.exec("BEGIN IMMEDIATE");
    try {
      const beat = "UPDATE frontdoor_rewrite SET at = ? WHERE owner = ?";
      if (isOwned && db.prepare(beat).run(Date.now(), owner).changes === 0) {
        throw new Error("database is locked");
      }
      const result = work();
      db.exec("COMMIT");
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  }

  /** Empties the log, which holds earlier versions of the pages. */
  async function emptyLog(): Promise<void> {
    db.exec("PRAGMA busy_timeout = 0"); // SQLite would block all writers while it waits for a reader
    const deadline = Date.now() + patienceMs;
    db.exec("PRAGMA wal_checkpoint(PASSIVE)"); // blocks no writer and leaves little for the other one
    // The first column says whether another connection blocked it.
    while (number("PRAGMA wal_checkpoint(TRUNCATE)") > 0) {
      if (Date.now() > deadline) throw new Error("database is locked");
      await pause(20);
    }
    db.exec(`PRAGMA busy_timeout = ${patienceMs}`);
  }

  /** Repeats a step in short transactions until it returns false. */
  async function inSlices(step: () => boolean): Promise<void> {
    for (let goesOn = true; goesOn;) {
      const began = performance.now();
      transaction(() => {
        while (goesOn && performance.now() - began < SLICE_MS) goesOn = step();
      });
      const heldMs = performance.now() - began;
      const { log } = db.prepare("PRAGMA wal_checkpoint(PASSIVE)").get() as { log: number };
      if (log > LOG_PAGES) await emptyLog();
      await pause(heldMs);
    }
  }

  /** Waits for a rewrite in another process: what was removed since it began may be in its copy. */
  async function begin(): Promise<void> {
    function takeOver(): boolean {
      db.exec("CREATE TABLE IF NOT EXISTS frontdoor_rewrite (owner TEXT, at INTEGER)");
      const at = number("SELECT max(at) FROM frontdoor_rewrite");
      if (Math.abs(Date.now() - at) < DEAD_MS) return false;
      db.exec("DELETE FROM frontdoor_rewrite");
      db.prepare("INSERT INTO frontdoor_rewrite VALUES (?, ?)").run(owner, Date.now());
      return true;
    }
    while (!transaction(takeOver, false)) await pause(200);
  }

  /** Overwrites the tables of a rewrite, also of one that ended halfway. */
  async function clear(): Promise<void> {
    transaction(() => {
      for (const [event] of TRIGGERS) db.exec(`DROP TRIGGER IF EXISTS frontdoor_${event}`);
    });
    for (const table of TABLES.filter(exists)) {
      // Free pages that were filled are clean: that saves writing them once more.
      db.exec(`PRAGMA secure_delete = ${table === "frontdoor_free" ? "OFF" : "ON"}`);
      const key = table === "frontdoor_free" ? "rowid" : "k";
      const some = `SELECT ${key} FROM ${table} ORDER BY ${key} LIMIT 50`;
      const remove = db.prepare(`DELETE FROM ${table} WHERE ${key} IN (${some})`);
      await inSlices(() => Number(remove.run().changes) > 0);
      transaction(() => db.exec(`DROP TABLE ${table}`));
    }
  }

  /** Creates an empty table like that of KV, and triggers that note what changes from now on. */
  function createCopy(): void {
    const parts = db.prepare(
      "SELECT sql FROM sqlite_schema WHERE tbl_name = 'kv' AND sql IS NOT NULL ORDER BY type DESC",
    ).all();
    for (const { sql } of parts) {
      // An index cannot be renamed: its name alternates.
      db.exec(
        String(sql).replace(/^(CREATE TABLE) "?kv"?/i, "$1 frontdoor_new")
          .replace(
            /^(CREATE INDEX) (\w+?)(_2)? ON "?kv"?/i,
            (_, create, name, second) => `${create} ${name}${second ? "" : "_2"} ON frontdoor_new`,
          ),
      );
    }
    db.exec("CREATE TABLE frontdoor_changed (k BLOB PRIMARY KEY) WITHOUT ROWID");
    for (const [event, row] of TRIGGERS) {
      // Not OR IGNORE: the statement of KV decides about conflicts in its triggers.
      db.exec(`CREATE TRIGGER frontdoor_${event} AFTER ${event} ON kv BEGIN
        INSERT INTO frontdoor_changed SELECT ${row}.k
          WHERE NOT EXISTS (SELECT 1 FROM frontdoor_changed WHERE k = ${row}.k); END`);
    }
  }

  async function copy(): Promise<void> {
    const more = db.prepare(`INSERT INTO frontdoor_new SELECT * FROM kv
      WHERE k > coalesce((SELECT max(k) FROM frontdoor_new), x'') ORDER BY k LIMIT 50`);
    await inSlices(() => Number(more.run().changes) > 0);
    const next = db.prepare("SELECT k FROM frontdoor_changed LIMIT 1");
    const [drop, add, done] = [
      "DELETE FROM frontdoor_new WHERE k = ?",
      "INSERT INTO frontdoor_new SELECT * FROM kv WHERE k = ?",
      "DELETE FROM frontdoor_changed WHERE k = ?",
    ].map((sql) => db.prepare(sql));
    function repeatChange(): boolean {
      const k = next.get()?.["k"] as Uint8Array | undefined;
      if (k !== undefined) { for (const one of [drop, add, done]) one!.run(k); }
      return k !== undefined;
    }
    await inSlices(repeatChange);
    transaction(() => {
      while (repeatChange());
      for (const [event] of TRIGGERS) db.exec(`DROP TRIGGER frontdoor_${event}`);
      db.exec("ALTER TABLE kv RENAME TO frontdoor_old; ALTER TABLE frontdoor_new RENAME TO kv");
    });
  }

  /**
   * Fills all free pages with zeros. Not only at the end: the last page of a long value keeps what a page
   * of the list of free pages had in it.
   */
  async function fillFreePages(): Promise<void> {
    const pageSize = number("PRAGMA page_size");
    // What a row of this table has on its own page (SQLite's file format, 1.6): the others are full.
    const local = Math.floor((pageSize - 12) * 32 / 255) - 23;
    db.exec("PRAGMA secure_delete = ON");
    transaction(() => db.exec("CREATE TABLE frontdoor_free (bytes BLOB)"));
    const fill = db.prepare("INSERT INTO frontdoor_free VALUES (zeroblob(?))");
    await inSlices(() => {
      const free = number("PRAGMA freelist_count");
      fill.run(Math.min(free, 8) * (pageSize - 4) + local);
      return free > 0;
    });
  }

  try {
    db.exec("PRAGMA synchronous = NORMAL");
    // While a reader holds the log, each rewrite would make it longer by the whole database.
    await emptyLog();
    await begin();
    try {
      await clear();
      await fillFreePages();
      await clear();
      db.exec("PRAGMA secure_delete = ON");
      transaction(createCopy);
      await copy();
      await fillFreePages();
    } finally {
      await clear();
      transaction(() => db.exec("DROP TABLE frontdoor_rewrite"));
    }
    await emptyLog();
  } finally {
    db.close();
  }
}
