/** @module Targets beside each other: none delays another, and none is called too often at once. */

import { ok, strictEqual as equal } from "node:assert/strict";
import { LEASE_MS } from "../../../leads/outbox.ts";
import { withLeftBehind } from "../../support/crowd.ts";
import { withRawReceiver } from "../../support/raw_receiver.ts";
import { withReceiver } from "../../support/receiver.ts";
import { type TestApp, withApp } from "../../support/test_app.ts";
import { pause, until } from "../../support/until.ts";

const MOST_AT_ONCE = 8;

/** An app at work on `count` leads that another has left behind. */
function withBacklog(
  count: number,
  { targets, test }: { targets: string; test: (t: TestApp) => Promise<void> },
): Promise<void> {
  return withLeftBehind(count, {
    targets,
    test: ({ options }) =>
      withApp(async (t) => {
        t.clock.advance(LEASE_MS);
        await test(t);
      }, options),
  });
}

Deno.test("200 leads that wait for a target that hangs delay none of another target's", () =>
  withReceiver((good) =>
    withRawReceiver((hanging) =>
      withBacklog(200, {
        targets: `http://127.0.0.1:${hanging.port}/ ${good.url}`,
        async test(t) {
          const drained = t.leads.outbox.drain();
          await good.arrived(200);
          await until("the hanging target is called", () => hanging.opened > 0);
          equal(new Set(good.received.map(({ headers }) => headers["webhook-id"])).size, 200);
          ok(hanging.opened <= MOST_AT_ONCE, `${hanging.opened} calls hang`);
          equal(hanging.closed, 0);

          const stopped = t.leads.outbox.stop(60_000);
          t.clock.advance(15_000);
          equal(await stopped, true);
          await drained;
          ok(hanging.opened <= MOST_AT_ONCE, "a stop takes no new work");
          await until("the calls are ended", () => hanging.closed === hanging.opened);
        },
      })
    )
  ));

Deno.test(`a backlog reaches a target at most ${MOST_AT_ONCE} leads at a time`, async () => {
  let now = 0;
  let most = 0;
  await withReceiver((receiver) =>
    withBacklog(60, {
      targets: receiver.url,
      async test(t) {
        await t.leads.outbox.drain();
        equal(receiver.received.length, 60);
        equal(most, MOST_AT_ONCE);
      },
    }), async () => {
    most = Math.max(most, ++now);
    await pause(10);
    now--;
    return new Response();
  });
});
