/** @module Failures of KV are logged in our own words, without the error's text. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { explained, KvFailure } from "../../leads/kv/error_reasons.ts";
import { safeReason } from "../../lib/log.ts";
import { AmbiguousCommit } from "../../leads/ports.ts";
import { withFolder } from "../support/service.ts";

const REMOTE = "Could not open Deno KV database: ";
const CONNECT = `${REMOTE}failed to connect to 'http://u:p@h/': error sending request for url ` +
  "(http://u:p@h/): client error (Connect): ";

const CAUSES: readonly (readonly [text: string, words: string])[] = [
  ["database or disk is full", "the disk is full"],
  ["attempt to write a readonly database", "the file is read-only"],
  ["Can not write to a read-only database.", "the file is read-only"],
  ["database disk image is malformed", "the database is damaged"],
  ["database is locked", "another process holds its lock"],
  ["Too many open files (os error 24)", "no file descriptors are left"],
  ["disk I/O error", "the disk is full or reports an I/O error"],
  [`${CONNECT}tcp connect error: Connection refused (os error 111)`, "the connection is refused"],
  [`${CONNECT}dns error: failed to lookup address`, "its name cannot be resolved"],
  [`${CONNECT}tcp connect error: No route to host (os error 113)`, "the host cannot be reached"],
  [`${CONNECT}invalid peer certificate: UnknownIssuer`, "TLS cannot be set up"],
  [`${CONNECT}tcp connect error: Connection timed out (os error 110)`, "connecting takes too long"],
  [`${REMOTE}error sending request for url (http://u:p@h/)`, "what answers does not speak HTTP/2"],
  [
    `${REMOTE}the metadata endpoint at 'http://u:p@h/' responded with status 401 Unauthorized: x`,
    "the server refuses DENO_KV_ACCESS_TOKEN (401)",
  ],
  [
    `${REMOTE}the metadata endpoint at 'http://u:p@h/' responded with status 503 Unavailable: x`,
    "the server answers 503",
  ],
  [
    `${REMOTE}'http://u:p@h/' is not a valid KV Connect endpoint (failed to read: x)`,
    "what answers is not a KV Connect server",
  ],
  [
    "Could not open Deno KV database: timed out connecting to the metadata endpoint at " +
    "'http://u:p@h/' after 30 seconds",
    "it does not answer",
  ],
  ["Missing DENO_KV_ACCESS_TOKEN environment variable.", "DENO_KV_ACCESS_TOKEN is not set"],
];

Deno.test("explained() replaces known errors; unknown ones are logged as their class", () => {
  for (const [text, words] of CAUSES) {
    const cause = explained(new TypeError(text));
    deepEqual([cause, new AmbiguousCommit({ cause })].map(safeReason), [words, words]);
  }
  const cause = explained(new RangeError("ada@example.com"));
  equal(safeReason(cause), "RangeError");
  equal(safeReason(new AmbiguousCommit({ cause })), "AmbiguousCommit (RangeError)");
});

Deno.test("safeReason() has the words of the operating system, without the path", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/text`, "");
    const files = [folder, `${folder}/none/x`, `${folder}/text/x`];
    const errors = files.map((path) => Deno.writeTextFile(path, "").catch(safeReason));
    const words = ["is a directory", "no such file or directory", "not a directory"];
    deepEqual(await Promise.all(errors), words);
    equal(safeReason(new Error("ada@example.com (os error 28)")), "Error");
  }));

Deno.test("explained() knows the errors that Deno throws for unusable paths", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/text`, "this is not a database, but long enough");
    const cases: readonly (readonly [path: string, words: string])[] = [
      [`${folder}/text`, "the file is not a database"],
      [folder, "it is a folder, or it or its folder cannot be opened for writing"],
      [`${folder}/none/x`, "it is a folder, or it or its folder cannot be opened for writing"],
      [`${folder}/text/x`, "a file is in the place of its folder"],
    ];
    for (const [path, words] of cases) {
      const error = await Deno.openKv(path).then((kv) => kv.close(), explained);
      deepEqual(error, new KvFailure(words, { cause: (error as Error).cause }), path);
    }
  }));
