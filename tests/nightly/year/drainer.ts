/**
 * @module A process of its own that drains queues with the service's own pipeline, counts its commits
 * and may have a wrong clock. Prints its counts as JSON when its input ends.
 */

import { parseConfig } from "../../../config/config.ts";
import { createLeads } from "../../../leads/pipeline.ts";
import { systemClock } from "../../../lib/clock.ts";
import { kvWith } from "../../support/kv_with.ts";

export interface DrainerOptions {
  readonly env: Readonly<Record<string, string>>;
  /** How far its clock is ahead. */
  readonly skewMs: number;
}

export interface DrainerCounts {
  readonly commits: number;
  /** Commits whose check failed. */
  readonly lost: number;
}

if (import.meta.main) {
  const { env, skewMs }: DrainerOptions = JSON.parse(Deno.args[0]!);
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
  // It begins with the first byte and ends with the input.
  console.log("ready");
  await Deno.stdin.read(new Uint8Array(1));
  void outbox.drain();
  await Deno.stdin.readable.pipeTo(new WritableStream());
  await outbox.stop(5_000);
  console.log(JSON.stringify(counts satisfies DrainerCounts));
  Deno.exit();
}
