/** @module A 200 survives SIGKILL between the answer and the delivery. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { LEASE_MS } from "../../leads/outbox.ts";
import { postLead } from "../support/post_lead.ts";
import { withReceiver } from "../support/receiver.ts";
import { startService, withFolder } from "../support/service.ts";

Deno.test("a lead answered but not delivered when the process is killed arrives after a restart", async () => {
  const killed = Promise.withResolvers<void>();
  await withReceiver(
    (receiver) =>
      withFolder(async (folder) => {
        const env = { LEAD_TARGETS: receiver.url, LEAD_INLINE_TIMEOUT: "100ms" };
        const first = await startService(folder, env);
        const response = await postLead(first.url);
        deepEqual(await response.json(), { ok: true, delivered: false });
        await first.end("SIGKILL");
        killed.resolve();

        const second = await startService(folder, env);
        await receiver.arrived(2, LEASE_MS + 10_000);
        const [lost, delivered] = receiver.received;
        equal(delivered!.headers["webhook-id"], lost!.headers["webhook-id"]);
        equal(delivered!.body, lost!.body);
        equal(await second.end(), 0);
      }),
    async (n) => {
      // The first try gets no answer while the process that made it is alive.
      if (n === 0) await killed.promise;
      return new Response(null, { status: n === 0 ? 500 : 204 });
    },
  );
});
