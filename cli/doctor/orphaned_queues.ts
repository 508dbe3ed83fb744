/** @module Queues whose target LEAD_TARGETS no longer names: their leads wait and are not tried. */

import { createTargets } from "../../leads/delivery/targets.ts";
import { queuedTargets } from "../../leads/kv/queues.ts";
import { type Check, warn } from "./check.ts";
import { fromDatabase } from "./database.ts";

/** A change of a target's URL makes it another target, whose queue is another one. */
export const orphanedQueues: Check = {
  name: "queue",
  requires: ["LEAD_TARGETS", "KV_PATH"],
  async run(environment) {
    const { config, clock } = environment;
    const options = { secrets: config.leadWebhookSecrets, now: clock.now };
    const named = new Set((await createTargets(config.leadTargets, options)).map(({ id }) => id));
    // A database that cannot be read is a finding of the check of KV.
    const queued = await fromDatabase(environment, queuedTargets).catch(() => undefined) ?? [];
    return queued.filter((id) => !named.has(id)).map((id) =>
      warn(
        "queue",
        `leads wait for ${id}, which LEAD_TARGETS does not name: nobody tries them`,
        "Put its URL back into LEAD_TARGETS, beside the new one, until none waits.",
      )
    );
  },
};
