/**
 * @module Explains why a database fails, in our own words. An error's text is never passed on: SQLite
 * quotes paths, and KV Connect quotes the URL and the server's answer.
 */

import { ExplainedError } from "../../lib/log.ts";

/** A failure of the database for a known reason; the message may be logged. */
export class KvFailure extends ExplainedError {
  override readonly name: string = "KvFailure";
}

/** Patterns of error texts and our words for them; `$1` is the captured status. */
const CAUSES: readonly (readonly [text: RegExp, words: string])[] = [
  [/^database or disk is full/, "the disk is full"],
  [/^attempt to write a readonly database|^Can not write to a read-only/, "the file is read-only"],
  [/^file is not a database/, "the file is not a database"],
  [/^database disk image is malformed/, "the database is damaged"],
  [/\(os error 24\)/, "no file descriptors are left"],
  [
    /^unable to open database file/,
    "it is a folder, or it or its folder cannot be opened for writing",
  ],
  [/^(?:Not a directory|File exists) \(os error/, "a file is in the place of its folder"],
  [/^Permission denied \(os error/, "the permissions of its folder do not allow it"],
  [/^(?:Read-only file system) \(os error/, "the file system is read-only"],
  [/^disk I\/O error/, "the disk is full or reports an I/O error"],
  [/^database (?:table )?is locked/, "another process holds its lock"],
  [/^Missing DENO_KV_ACCESS_TOKEN/, "DENO_KV_ACCESS_TOKEN is not set"],
  [/^Could not open Deno KV database: timed out/, "it does not answer"],
  [/(?: status |\(status=)(40[13])\b/, "the server refuses DENO_KV_ACCESS_TOKEN ($1)"],
  [/(?: status |\(status=)(\d{3})\b/, "the server answers $1"],
  [/' is not a valid KV Connect endpoint/, "what answers is not a KV Connect server"],
  [/client error \(Connect\): dns error/, "its name cannot be resolved"],
  [/client error \(Connect\): tcp connect error: .*refused/i, "the connection is refused"],
  [/client error \(Connect\): tcp connect error: .*timed out/i, "connecting takes too long"],
  [/client error \(Connect\): tcp connect error/, "the host cannot be reached"],
  [/client error \(Connect\)/, "TLS cannot be set up"],
  [/error sending request/, "what answers does not speak HTTP/2"],
];

/** Whether another process holds the lock: SQLite then fails at once if a read becomes a write. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && error.message.includes("database is locked");
}

/** Whether the bytes of one entry are damaged; a list fails if one of its entries is. */
export function isUndecodable(error: unknown): boolean {
  return error instanceof Error &&
    /^could not deserialize value|^The value encoding/.test(error.message);
}

/** Whether Deno refused a commit before sending it. Failures of SQLite are a TypeError too. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof TypeError &&
    /^(?:Value|Key|Total \w+ size) too large|^Too many (?:checks|mutations)/.test(error.message);
}

/** A {@link KvFailure} if the cause is known; otherwise the error itself. */
export function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ExplainedError) return error;
  for (const [text, words] of CAUSES) {
    const found = text.exec(error.message);
    if (found !== null) return new KvFailure(words.replace("$1", found[1] ?? ""), { cause: error });
  }
  return error;
}
