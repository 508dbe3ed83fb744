/** @module More connections than file descriptors: the service continues, and answers all. Needs Linux. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { figuresOf } from "../../support/process_figures.ts";
import { leadRequest, RawClient } from "../../support/raw_client.ts";
import { startReceiver } from "../../support/receiver.ts";
import { type Service, withRunningService } from "../../support/service.ts";
import { LEAD } from "../../support/test_app.ts";
import { pause, until } from "../../support/until.ts";

const DESCRIPTORS = 200;
const CONNECTIONS = 400;
const HEALTH = "GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n";

async function crowd(port: number): Promise<RawClient[]> {
  const clients: RawClient[] = [];
  for (let n = 0; n < CONNECTIONS; n++) {
    try {
      const client = await RawClient.connect(port);
      clients.push(client);
      await client.write("GET / HTTP/1.1\r\nX: ");
    } catch { /* refused or reset */ }
  }
  return clients;
}

async function isOpen({ port }: Service): Promise<boolean> {
  const late = await RawClient.connect(port).catch(() => undefined);
  const answer = await late?.ask(HEALTH).catch(() => undefined);
  late?.close();
  return answer?.status === 200;
}

function sendLead(client: RawClient, company: string) {
  return client.ask(leadRequest(JSON.stringify({ ...LEAD, company }), ""));
}

Deno.test("a service without file descriptors continues, and accepts connections again later", async () => {
  await using receiver = startReceiver(async (n) => {
    if (n > 0) await pause(2_000); // longer than the stop waits for deliveries alone
    return new Response();
  });
  await withRunningService(
    async (service) => {
      const { port, pid } = service;
      const early = await RawClient.connect(port);
      equal((await early.ask(HEALTH)).status, 200);
      const { descriptors } = await figuresOf(pid);
      const clients = await crowd(port);
      ok(clients.length > DESCRIPTORS / 2, "too few connections");
      equal((await sendLead(early, "Early")).status, 200);
      for (const client of clients) client.close();
      await until(
        "the connections are closed",
        async () => (await figuresOf(pid)).descriptors <= descriptors + 5,
        10_000,
      );
      await until("a new client is answered", () => isOpen(service), 10_000);

      const sent = sendLead(early, "Late");
      await receiver.arrived(2, 10_000);
      const [{ status, body }, code] = await Promise.all([sent, service.end()]);
      deepEqual([status, body, code], [200, '{"ok":true,"delivered":true}', 0]);
      early.close();
    },
    { LEAD_TARGETS: receiver.url, LEAD_INLINE_TIMEOUT: "10s" },
    { prefix: ["sh", "-c", `ulimit -n ${DESCRIPTORS}; exec "$0" "$@"`] },
  );
});
