/**
 * @module More connections than the process may have open. Nobody can be let in then; but the service
 * does not end, whoever is connected already is served, and the others are as soon as there is room.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { figuresOf } from "../support/process_figures.ts";
import { leadRequest, RawClient } from "../support/raw_client.ts";
import { withFolder } from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";
import { until } from "../support/until.ts";
import { type BareStart, startPermissions, startWith } from "./bare_start.ts";

const DESCRIPTORS = 200;
const CONNECTIONS = 400;

/** As many connections as come about, each with half a request. */
async function crowd(port: number): Promise<RawClient[]> {
  const clients: RawClient[] = [];
  for (let n = 0; n < CONNECTIONS; n++) {
    try {
      const client = await RawClient.connect(port);
      clients.push(client);
      await client.write("GET / HTTP/1.1\r\nX: ");
    } catch { /* refused or reset: that is what a crowd is told */ }
  }
  return clients;
}

Deno.test({
  name: "a service that runs out of file descriptors goes on, and lets people in again when it can",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withFolder(async (folder) => {
      const permissions = await startPermissions();
      const service = await startWith(permissions, { folder, descriptors: DESCRIPTORS });
      try {
        ok(service.answers);
        await crowded(service);
      } finally {
        equal((await service.end()).code, 0);
      }
    }),
});

async function crowded({ port, pid }: BareStart): Promise<void> {
  const early = await RawClient.connect(port);
  equal((await early.ask("GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n")).status, 200);
  const before = (await figuresOf(pid)).descriptors;

  const clients = await crowd(port);
  ok(clients.length > DESCRIPTORS / 2, "there was no crowd");
  const sent = await early.ask(leadRequest(JSON.stringify(LEAD), ""));
  deepEqual([sent.status, sent.body], [200, '{"ok":true,"delivered":false}']);

  for (const client of clients) client.close();
  await until(
    "the crowd has gone",
    async () => (await figuresOf(pid)).descriptors <= before + 5,
    10_000,
  );
  await until("somebody new is answered", async () => {
    const late = await RawClient.connect(port).catch(() => undefined);
    const answer = await late?.ask("GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n").catch(
      () => {},
    );
    late?.close();
    return answer?.status === 200;
  }, 10_000);
  early.close();
}
