/**
 * @module A process of its own that drains a queue with the service's own pipeline and a clock that may be
 * wrong. On SIGTERM it prints as JSON how many commits it has made, and how many have lost a race.
 */

import { parseConfig } from "../../../config/config.ts";
import { createLeads } from "../../../leads/pipeline.ts";
import { systemClock } from "../../../lib/clock.ts";
import { kvWith } from "../../support/kv_with.ts";
import { pause } from "../../support/until.ts";

export interface DrainerOptions {
  readonly env: Readonly<Record<string, string>>;
  /** When all begin, in epoch milliseconds. */
  readonly beginAt: number;
  /** How far its clock is ahead. */
  readonly skewMs: number;
}

export interface DrainerCounts {
  readonly commits: number;
  readonly lost: number;
}

if (import.meta.main) {
  const { env, beginAt, skewMs }: DrainerOptions = JSON.parse(Deno.args[0]!);
  const counts = { commits: 0, lost: 0 };
  const database = await Deno.openKv(env["KV_PATH"]);
  const kv = kvWith(database, {
    async commit(commit) {
      const result = await commit();
      counts.commits++;
      if (!result.ok) counts.lost++;
      return result;
    },
  });
  const { outbox } = await createLeads(parseConfig(env), {
    open: () => Promise.resolve(kv),
    log: { info() {}, error() {}, count() {} },
    clock: { ...systemClock, now: () => Date.now() + skewMs },
  });
  Deno.addSignalListener("SIGTERM", async () => {
    await outbox.stop(5_000);
    // deno-lint-ignore no-console -- what the test reads
    console.log(JSON.stringify(counts satisfies DrainerCounts));
    Deno.exit();
  });
  await pause(beginAt - Date.now());
  await outbox.drain();
  setInterval(() => outbox.drain(), 60_000); // as the service's cron
}
