/**
 * @module How often maintenance calls KV while nothing is due: README says what that costs on Deno Deploy.
 */

import { deepStrictEqual as deepEqual, match, ok } from "node:assert/strict";
import { countingKv } from "../support/kv_with.ts";
import { startApp } from "../support/test_app.ts";

Deno.test("maintenance with nothing due writes nothing, and reads KV as often as README says", async () => {
  using kv = await Deno.openKv(":memory:");
  const reads: number[][] = [];
  for (const LEAD_TARGETS of ["", "https://a.invalid", "https://a.invalid https://b.invalid"]) {
    const calls: string[] = [];
    await using t = await startApp({ env: { LEAD_TARGETS }, wrapKv: () => countingKv(kv, calls) });
    const counts: number[] = [];
    for (let minute = 0; minute < 2; minute++) {
      calls.length = 0;
      await t.leads.runMaintenance();
      ok(!calls.includes("commit"));
      counts.push(calls.length);
    }
    reads.push(counts);
  }
  const [, [first, running], [, withTwo]] = reads as [number[], [number, number], number[]];
  const further = withTwo! - running;
  // A start reads the sealing secret and runs maintenance once before the cron does.
  const starting = 1 + first + running;
  deepEqual([running, further, starting], [4, 3, 11]);
  const readme = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
  const text = readme.replaceAll(/\s+/g, " ");
  ok(
    text.includes(
      `makes ${running} KV reads and no write (${further} more for each further target)`,
    ),
  );
  ok(text.includes(`and ${starting} if it has to start the service first`));
  const [monthly, starts] = [running, starting].map((n) => (n * 43_200).toLocaleString("en"));
  match(text, RegExp(`\\| KV read units .* ${monthly} \\(17 %\\) \\| ${starts} \\(48 %\\)`));
});
