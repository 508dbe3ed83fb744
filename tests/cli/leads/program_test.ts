/** @module The program: its help, and what it says to a command line that makes no sense. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { runLeads } from "../../../cli/leads/program.ts";
import { withCli } from "./fixture.ts";

/** Command lines that make no sense, and what is said about them. */
const NONSENSE: readonly (readonly [words: string, says: RegExp])[] = [
  ["lst", /unknown command 'lst'\n\(Did you mean list\?\)/],
  ["toString", /unknown command/],
  ["--json list", /unknown option '--json'/],
  ["list --jsno", /unknown option '--jsno'\n\(Did you mean --json\?\)/],
  ["list --state", /'--state <state>' argument missing/],
  ["list --state deaf", /Allowed choices are waiting, delivered, dead, stored/],
  ["list --plan free", /are pro, business, enterprise, hosted, unspecified, none/],
  ["list --locale fr", /Allowed choices are en, de/],
  ["list --since yesterday", /It must be a day \(/],
  ["list --since 2026-02-30", /It must be a day \(/],
  ["list --since 2026-11-18T25:00", /It must be a day \(/],
  ["list --until 2w", /It must be a day \(/],
  ["list --limit 0", /It must be a whole number/],
  ["list --limit -1", /It must be a whole number/],
  ["list extra", /too many arguments for 'list'/],
  ["show", /missing required argument 'id'/],
  ["export", /'--format <format>' not specified/],
  ["export --format xlsx", /Allowed choices are csv, jsonl/],
  ["export --format jsonl --bom", /'--bom' is for CSV alone/],
  ["retry", /either an id or --dead/],
  ["retry abc --dead", /either an id or --dead/],
  ["erase --yes", /missing required argument 'email'/],
  ["erase ada --yes", /It must be an email address/],
];

Deno.test("a command line that makes no sense gets an explanation and exit code 2", () =>
  withCli(async ({ run }) => {
    for (const [words, says] of NONSENSE) {
      const { code, out, err } = await run(...words.split(" "));
      deepEqual([code, out], [2, ""], words);
      match(err, /^error: /);
      match(err, says);
    }
  }));

Deno.test("help needs no KV, and a command that cannot open it fails with exit code 1", async () => {
  let out = "";
  let err = "";
  const context = {
    out: (text: string) => out += text,
    err: (text: string) => err += text,
    confirm: undefined,
    now: Date.now,
    open: () => Promise.reject(new Error("Cannot open KV: locked")),
  };
  equal(await runLeads([], context), 0);
  const commands = [...out.matchAll(/^ {2}([a-z]+) .* {2}/gm)].map(([, name]) => name!);
  equal(commands.join(" "), "list show stats export retry erase reseal purge help");
  for (const name of commands.slice(0, -1)) {
    out = "";
    equal(await runLeads(["help", name], context), 0);
    ok(out.startsWith(`Usage: deno task leads ${name}`), name);
  }
  equal(err, "");
  equal(await runLeads(["list"], context), 1);
  equal(err, "Cannot open KV: locked\n");
});
