/** @module The processes of `deploy/compose.yaml` without containers; addresses, ports and folders differ. */

import { ok, strictEqual as equal } from "node:assert/strict";
import { parse } from "yaml";
import { LEASE_MS } from "../../../leads/leases.ts";
import { startMachines } from "../../support/machines.ts";
import { freePort } from "../../support/service.ts";
import { pause, until } from "../../support/until.ts";
import { COMPOSE, withProxy } from "./proxy.ts";

const FILE = new URL("../../../deploy/compose.yaml", import.meta.url);
const { services } = parse(await Deno.readTextFile(FILE), { merge: true });
const SENDERS = 8;

Deno.test("three services behind Caddy lose no lead when one is killed and one hangs", async () => {
  await using machines = await startMachines();
  const { denokv, ledger, start, settle } = machines;
  const machine = (n: number) => {
    const { environment } = services[`frontdoor-${n}`];
    return start({ ...environment, KV_PATH: denokv.url, PORT: String(freePort()) });
  };
  const [killed, hung, last] = await Promise.all([machine(1), machine(2), machine(3)]);
  const place = { kind: COMPOSE, port: freePort(), services: [killed, hung, last] };
  await withProxy(place, async ({ origin, authority }) => {
    using http = Deno.createHttpClient({ caCerts: [authority] });
    const door = { url: origin, targeted: true, http };
    const count = (status: number) => ledger.tally[status] ?? 0;

    let stopped = false;
    const sending = Array.from({ length: SENDERS }, async () => {
      while (!stopped) await ledger.post(door);
    });
    await until("100 leads are answered", () => count(200) >= 100, 30_000);
    await killed.end("SIGKILL");
    const before = count(200);
    await until("200 more are answered", () => count(200) >= before + 200, 30_000);
    stopped = true;
    await Promise.all(sending);
    // Those in flight; before 2.11.2 Caddy also fails those that it tries a second time.
    const failed = ledger.answers.length - count(200);
    ok(failed <= 2 * SENDERS, JSON.stringify(ledger.tally));

    Deno.kill(hung.pid, "SIGSTOP");
    await pause(12_000); // until Caddy has noticed: health_interval and health_timeout
    for (let n = 0; n < 6; n++) {
      const { status, ms } = await ledger.post(door);
      equal(status, 200);
      ok(ms < 3_000, `${ms} ms`);
    }
    Deno.kill(hung.pid, "SIGCONT");
  });
  await settle({ withinMs: LEASE_MS + 60_000, repeats: true });
});
