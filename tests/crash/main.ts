/**
 * @module `deno task test:crash [--kills N] [--seed S] [--lock-every N]`: exit code 1 where a promise
 * was broken, 2 where it was called wrongly.
 */

import { parseArgs } from "node:util";
import { runKills } from "./kills.ts";
import { describe } from "./report.ts";

/** Takes some five minutes on two cores. */
const KILLS = 200;

/** A lock takes as long as ten other lives. */
const LOCK_EVERY = 25;

const encoder = new TextEncoder();

function integer(
  name: "kills" | "seed" | "lock-every",
  fallback: number,
): number {
  const text = values[name];
  const value = text === undefined ? fallback : Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  Deno.stderr.writeSync(encoder.encode(`--${name} must be a whole number\n`));
  Deno.exit(2);
}

const { values } = parseArgs({
  args: Deno.args,
  options: {
    kills: { type: "string" },
    seed: { type: "string" },
    "lock-every": { type: "string" },
  },
});
const seed = integer("seed", Date.now() % 1_000_000);
Deno.stderr.writeSync(encoder.encode(`seed ${seed}\n`));
const report = await runKills({
  kills: integer("kills", KILLS),
  seed,
  lockEvery: integer("lock-every", LOCK_EVERY),
  progress: (line) => Deno.stderr.writeSync(encoder.encode(`${line}\n`)),
});
Deno.stdout.writeSync(encoder.encode(describe(report)));
Deno.exit(report.violations.length + report.inconsistent.length > 0 ? 1 : 0);
