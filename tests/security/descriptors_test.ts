/**
 * @module More connections than the process may have open. Nobody can be let in then; but the service
 * does not end, whoever is connected already is served, and the others are as soon as there is room.
 * Nor is anybody forgotten when the service stops.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { figuresOf } from "../support/process_figures.ts";
import { leadRequest, RawClient } from "../support/raw_client.ts";
import { withReceiver } from "../support/receiver.ts";
import { withFolder } from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";
import { pause, until } from "../support/until.ts";
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

const HEALTH = "GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n";

/** A service that may have few descriptors, ended behind the test with exit code 0. */
function withFew(
  test: (service: BareStart) => Promise<void>,
  options: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  return withFolder(async (folder) => {
    const permissions = await startPermissions();
    const service = await startWith(permissions, { folder, descriptors: DESCRIPTORS, ...options });
    try {
      ok(service.answers);
      await test(service);
    } finally {
      equal((await service.end()).code, 0);
    }
  });
}

/** Has a crowd come, and go once `meanwhile` is done. */
async function crowded(
  { port, pid }: BareStart,
  meanwhile = () => Promise.resolve(),
): Promise<void> {
  const before = (await figuresOf(pid)).descriptors;
  const clients = await crowd(port);
  ok(clients.length > DESCRIPTORS / 2, "there was no crowd");
  await meanwhile();
  for (const client of clients) client.close();
  await until(
    "the crowd has gone",
    async () => (await figuresOf(pid)).descriptors <= before + 5,
    10_000,
  );
}

async function isOpen({ port }: BareStart): Promise<boolean> {
  const late = await RawClient.connect(port).catch(() => undefined);
  const answer = await late?.ask(HEALTH).catch(() => undefined);
  late?.close();
  return answer?.status === 200;
}

Deno.test({
  name: "a service that runs out of file descriptors goes on, and lets people in again when it can",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withFew(async (service) => {
      const early = await RawClient.connect(service.port);
      equal((await early.ask(HEALTH)).status, 200);
      await crowded(service, async () => {
        const sent = await early.ask(leadRequest(JSON.stringify(LEAD), ""));
        deepEqual([sent.status, sent.body], [200, '{"ok":true,"delivered":false}']);
      });
      await until("somebody new is answered", () => isOpen(service), 10_000);
      early.close();
    }),
});

Deno.test({
  name: "who is connected since before the descriptors ran out is answered when the service stops",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withReceiver(
      (receiver) =>
        withFew(async (service) => {
          const early = await RawClient.connect(service.port);
          equal((await early.ask(HEALTH)).status, 200);
          await crowded(service);
          await until("somebody new is answered", () => isOpen(service), 10_000);

          const sent = early.ask(leadRequest(JSON.stringify(LEAD), ""));
          await receiver.arrived(1);
          const [{ status, body }] = await Promise.all([sent, service.end()]);
          deepEqual([status, body], [200, '{"ok":true,"delivered":true}']);
          early.close();
        }, { env: { LEAD_TARGETS: receiver.url, LEAD_INLINE_TIMEOUT: "10s" } }),
      async () => {
        await pause(2_000); // longer than the service waits for deliveries alone
        return new Response();
      },
    ),
});
