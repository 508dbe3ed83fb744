/** @module The command line of `deno task leads`. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { ExplainedError } from "../../../lib/log.ts";
import { test } from "./fixture.ts";

const INVALID: readonly (readonly [words: string, error: RegExp])[] = [
  ["lst", /unknown command 'lst'\n\(Did you mean list\?\)/],
  ["list --jsno", /unknown option '--jsno'\n\(Did you mean --json\?\)/],
  ["list --state deaf", /Allowed choices are waiting, delivered, dead, stored/],
  ["list --since 2026-02-30", /It must be a day \(/],
  ["list --since 2026-11-18T25:00", /It must be a day \(/],
  ["list --until 2w", /It must be a day \(/],
  ["list --limit 0", /It must be a whole number/],
  ["list extra", /too many arguments for 'list'/],
  ["export", /'--format <format>' not specified/],
  ["export --format xlsx", /Allowed choices are csv, jsonl/],
  ["export --format jsonl --bom", /'--bom' is for CSV only/],
  ["find ada", /It must be an email address/],
  ["send", /either ids, --stored or --from/],
  ["send --stored --from old", /either ids, --stored or --from/],
  ["send --stored --to https://crm.example/key", /the name of a target, not its URL/],
  ["send --from constructor --to crm", /It must be the name of a target/],
  ["send --stored", /LEAD_TARGETS is not set here/],
  ["retry", /either an id or --dead/],
  ["erase --yes", /missing required argument 'email'/],
];

test("an invalid command line gets an explanation and exit code 2", async ({ run }) => {
  for (const [words, error] of INVALID) {
    const { code, out, err } = await run(...words.split(" "));
    deepEqual([code, out], [2, ""], words);
    match(err, /^error: /);
    match(err, error);
  }
});

test("help needs no KV; a command that cannot open it fails with exit code 1", async (cli) => {
  cli.open = () => Promise.reject(new ExplainedError("Cannot open KV: locked"));
  const out = await cli.printed();
  const commands = [...out.matchAll(/^ {2}([a-z]+) .* {2}/gm)].map(([, name]) => name!);
  equal(commands.join(" "), "list show find stats export send retry erase reseal purge help");
  for (const name of commands.slice(0, -1)) {
    ok((await cli.printed("help", name)).startsWith(`Usage: deno task leads ${name}`), name);
  }
  deepEqual(await cli.run("list"), { code: 1, out: "", err: "Cannot open KV: locked\n" });
  cli.open = () => Promise.reject(new TypeError("expected value at line 1")); // an engine's words
  equal((await cli.run("list")).err, "Cannot go on: TypeError\n");
});
