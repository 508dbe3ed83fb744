/** @module Several targets: none delays another, and none gets too many attempts at once. */

import { ok, strictEqual as equal } from "node:assert/strict";
import { LEASE_MS } from "../../../leads/outbox.ts";
import { withLeftBehind } from "../../support/crowd.ts";
import { withRawReceiver } from "../../support/raw_receiver.ts";
import { withReceiver } from "../../support/receiver.ts";
import { type TestApp, withApp } from "../../support/test_app.ts";
import { pause, until } from "../../support/until.ts";

const CONCURRENCY = 8;

/** Runs a test with a backlog of `count` leads that are due. */
function withBacklog(
  count: number,
  { targets, test }: { targets: string; test: (t: TestApp) => Promise<void> },
): Promise<void> {
  const advanced = (t: TestApp) => (t.clock.advance(LEASE_MS), test(t));
  return withLeftBehind(count, { targets, test: ({ options }) => withApp(advanced, options) });
}

Deno.test("a hanging target does not delay leads to another, nor a stop", () =>
  withReceiver((good) =>
    withRawReceiver((hanging) =>
      withBacklog(50, {
        targets: `http://127.0.0.1:${hanging.port}/ ${good.url}`,
        async test(t) {
          const drained = t.leads.outbox.drain();
          await good.arrived(50);
          await until("the hanging target is called", () => hanging.opened > 0);
          equal(new Set(good.received.map(({ headers }) => headers["webhook-id"])).size, 50);
          equal(hanging.closed, 0);

          const stopped = t.leads.outbox.stop(60_000);
          t.clock.advance(15_000);
          equal(await stopped, true);
          await drained;
          ok(hanging.opened <= CONCURRENCY, `${hanging.opened} calls`);
          await until("the calls are closed", () => hanging.closed === hanging.opened);
        },
      })
    )
  ));

Deno.test(`a target gets at most ${CONCURRENCY} queued leads at once`, async () => {
  let now = 0;
  let most = 0;
  await withReceiver((receiver) =>
    withBacklog(60, {
      targets: receiver.url,
      async test(t) {
        await t.leads.outbox.drain();
        equal(receiver.received.length, 60);
        equal(most, CONCURRENCY);
      },
    }), async () => {
    most = Math.max(most, ++now);
    await pause(10);
    now--;
    return new Response();
  });
});
