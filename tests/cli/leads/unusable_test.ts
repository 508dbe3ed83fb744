/** @module Every command goes on past leads that cannot be used, and names them at its end. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { keys } from "../../../leads/kv/keys.ts";
import { withDamagedKv } from "../../support/damaged_kv.ts";
import { dead, TestCli } from "./fixture.ts";

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
  ["list --watch", /\n1 lead\n$/],
  ["export --format jsonl", /^\{"id".*\}\n$/],
  ["stats", /^4 leads\n/, 0],
  ["stats --state dead", /^1 lead\n/],
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
