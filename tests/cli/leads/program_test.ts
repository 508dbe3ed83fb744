/** @module The command line of `deno task leads`. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { ExplainedError } from "../../../lib/log.ts";
import { dead, test, TestCli } from "./fixture.ts";
import { keys } from "../../../leads/kv/keys.ts";
import { withDamagedKv } from "../../support/damaged_kv.ts";

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

const REASONS = [
  "its bytes are damaged",
  "what is stored is not a lead",
  "Cannot open what is sealed: LEAD_ENCRYPTION_KEYS has no k2025",
];

/** Command lines (ALL: all ids, BAD: the first), what they print, and how many leads they skip. */
const COMMANDS: readonly (readonly [words: string, out: RegExp, skipped?: number])[] = [
  ["list", /\n1 lead\n$/],
  ["show BAD", /^$/, 1],
  ["retry BAD", /^$/, 1],
  ["export --format jsonl", /^\{"id".*\}\n$/],
  ["stats", /^leads: 4\n/, 0],
  ["stats --state dead", /^leads: 1\n/],
  ["retry --dead", /^Due now: 1 delivery\./],
  ["send --from crm --to other", /^Due now: 1 delivery\./],
  ["send ALL --to other", /^Due now: 1 delivery\./],
  ["find ada@example.com --json", /"leads": \[\n/],
  ["reseal", /^0 leads of 4 resealed\n$/],
  ["purge", /^0 leads purged\n$/, 2], // needs no key
  ["erase ada@example.com --yes", /^4 leads of /, 0],
];

Deno.test("every command goes on past unusable leads, names them, and exits with 1", async () => {
  for (const [words, expected, skipped = 3] of COMMANDS) {
    await withDamagedKv(async ({ kv, damage }) => {
      const cli = new TestCli(kv);
      const deliveries = { crm: dead(1) };
      const store = cli.storeWith([{ id: "k2025", key: new Uint8Array(32) }]);
      const samples = [{ deliveries }, { deliveries }, { deliveries, store }];
      const bad = (await Promise.all(samples.map(cli.put))).map(({ id }) => id);
      damage(keys.lead(bad[0]!));
      await kv.set(keys.lead(bad[1]!), { id: bad[1], deliveries: "none" });
      const ids = [...bad, (await cli.put({ deliveries })).id];
      const { code, out, err } = await cli.run(
        ...words.replace("ALL", ids.join(" ")).replace("BAD", bad[0]!).split(" "),
      );
      equal(code, skipped > 0 ? 1 : 0, words);
      match(out, expected, words);
      const report = err.split("\n").filter((line) => / skipped \(/.test(line));
      const named = bad.map((id, n) => `1 lead skipped (${REASONS[n]}): ${id}`);
      deepEqual(report.sort(), named.slice(0, skipped).sort(), words);
    });
  }
});
