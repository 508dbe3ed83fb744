/** @module The deployment guide's commands for several machines; addresses, ports and folders differ. */

import { match, strictEqual as equal } from "node:assert/strict";
import { documented } from "../../docs/document.ts";
import { withTerminal } from "../../docs/terminal.ts";
import { leadRequest, RawClient } from "../../support/raw_client.ts";
import { freePort } from "../../support/service.ts";
import { LEAD } from "../../support/test_app.ts";
import { until } from "../../support/until.ts";

/** With the programs that cargo installs. */
const PATH = `${Deno.env.get("PATH")}:${Deno.env.get("HOME")}/.cargo/bin`;

Deno.test("two machines set up by the guide share one limit", async () => {
  const commands = await documented("docs/self-host.md", "On several machines");
  const kvPort = freePort();
  await withTerminal({ PATH }, async (terminal) => {
    const adapted = (command: string) =>
      command.replaceAll("/etc/frontdoor.token", `${terminal.folder}/token`)
        .replaceAll("/var/lib/denokv", terminal.folder)
        .replaceAll("10.0.0.5:4512", `127.0.0.1:${kvPort}`)
        .replaceAll("HOST=0.0.0.0", "HOST=127.0.0.1");
    await Deno.writeTextFile(`${terminal.folder}/token`, "0123456789abcdef0123456789abcdef\n");
    const server = [commands.take("export DENO_KV_ACCESS_TOKEN="), commands.take("denokv ")];
    const machine = [commands.take("export DENO_KV_ACCESS_TOKEN="), commands.take("HOST=")];
    commands.end();

    terminal.start(server.map(adapted).join("\n"));
    const listens = () =>
      Deno.connect({ port: kvPort }).then((one) => (one.close(), true), () => false);
    await until("denokv listens", listens, 20_000);
    const ports = [freePort(), freePort()];
    for (const [n, port] of ports.entries()) {
      const started = terminal.start([`export PORT=${port}`, ...machine.map(adapted)].join("\n"));
      await started.prints(/public as +https:\/\/www\.example\.com/);
      match(await lead(port, `Company ${n}`), new RegExp(`^"lead";r=${19 - n};`));
    }
  });
});

async function lead(port: number, company: string): Promise<string> {
  const client = await RawClient.connect(port);
  const { status, head } = await client.ask(
    leadRequest(JSON.stringify({ ...LEAD, company }), "192.0.2.7"),
  );
  client.close();
  equal(status, 200);
  return /^ratelimit: (.*)$/mi.exec(head)![1]!;
}
