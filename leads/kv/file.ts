/** @module The file of a database on this machine, before KV opens it. */

/**
 * Makes a database file, and its folder, for the user of the service alone: SQLite gives the files
 * beside it the same mode. What is there already stays as it is.
 *
 * @param path undefined: the database is no file
 */
export async function makePrivateFile(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const folder = /^(.+)\/[^/]*$/.exec(path)?.[1];
  if (folder !== undefined) await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    (await Deno.open(path, { write: true, createNew: true, mode: 0o600 })).close();
  } catch { /* it is there, or opening it as a database tells what is wrong */ }
}
