/** @module The README's commands, run as they are written: only ports and ids differ. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { postLead } from "../support/post_lead.ts";
import { freePort } from "../support/service.ts";
import { until } from "../support/until.ts";
import { documented } from "./document.ts";
import { isRunInCi } from "./tasks.ts";
import { type Terminal, withTerminal } from "./terminal.ts";

/** Commands with the ports of a test in place of those of the text. */
function onPorts(ports: Readonly<Record<number, number>>): (command: string) => string {
  return (command) =>
    Object.entries(ports).reduce(
      (text, [from, to]) => text.replaceAll(`localhost:${from}`, `localhost:${to}`),
      command,
    );
}

/** The README's lead of another company. */
async function postLeadOf(company: string, port: number): Promise<unknown> {
  const lead = { email: "ada@example.com", company, locale: "en", message: "Hello" };
  return await (await postLead(`http://localhost:${port}`, lead)).json();
}

Deno.test("README: the two commands", async () => {
  const commands = await documented("README.md", "Two commands");
  const port = freePort();
  await withTerminal({ PORT: String(port) }, async (terminal) => {
    const service = terminal.start(commands.take("deno task start"));
    await service.prints(new RegExp(`on http://127\\.0\\.0\\.1:${port}`));
    const response = await fetch(`http://localhost:${port}/`);
    match(await response.text(), /^<!doctype html>/);
    await service.end();
    ok((await Deno.stat(`${terminal.folder}/.data/frontdoor.sqlite`)).isFile);
  });
  ok(await isRunInCi(commands.take("deno task test")));
  commands.end();
});

Deno.test("README: a lead is sent, received, and received late by a receiver that was away", async () => {
  const sending = await documented("README.md", "Send a lead");
  const commands = await documented("README.md", "Receive a lead");
  const [port, receiverPort] = [freePort(), freePort()];
  const here = onPorts({ 8000: port, 9000: receiverPort });
  await withTerminal({ PORT: String(port) }, async (terminal) => {
    await moveReceiver(terminal, receiverPort);
    const first = terminal.start("deno task start");
    await first.prints(/runs on/);
    const answer = await terminal.run(here(sending.take("curl -i ")));
    sending.end();
    const lines = answer.out.split("\r\n");
    equal(lines[0], "HTTP/1.1 200 OK");
    const shown = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
    for (const name of ["ratelimit-policy", "ratelimit"]) {
      const line = lines.find((one) => one.startsWith(`${name}: `))!;
      ok(shown.includes(`\n${line}\n`), `the README does not show ${line}`);
    }
    equal(lines.at(-1), '{"ok":true,"delivered":false}');
    await first.end();

    equal((await terminal.run(commands.take('echo "LEAD_WEBHOOK_SECRET='))).code, 0);
    const receive = commands.take("deno run --env-file=.env ");
    const receiver = terminal.start(receive);
    await receiver.prints(/Listening on/);
    const service = terminal.start(here(commands.take("LEAD_TARGETS=")));
    await service.prints(/runs on/);
    commands.end();
    deepEqual(await postLeadOf("Second GmbH", port), { ok: true, delivered: true });
    await receiver.prints(/^\{"type":"lead\.created","timestamp":"[^"]+","data":\{"id":/m);
    await receiver.end();
    deepEqual(await postLeadOf("Third GmbH", port), { ok: true, delivered: false });
    await service.prints(/"event":"delivery\.postponed".*"until":/);
    await terminal.start(receive).prints(/"company":"Third GmbH"/);
  });
});

/** The receiver's port is in its source. */
async function moveReceiver({ folder }: Terminal, port: number): Promise<void> {
  const file = `${folder}/tests/support/demo_receiver.ts`;
  const text = await Deno.readTextFile(file);
  ok(text.includes("port: 9000"));
  await Deno.writeTextFile(file, text.replace("port: 9000", `port: ${port}`));
}

Deno.test("README: looking after leads", async () => {
  const commands = await documented("README.md", "Looking after leads");
  const port = freePort();
  await withTerminal({ PORT: String(port) }, async (terminal) => {
    const service = terminal.start("deno task start");
    await service.prints(/runs on/);
    await postLeadOf("Example GmbH", port);
    const succeeds = async (line: string) => {
      const { code, out, err } = await terminal.run(line);
      equal(code, 0, `${line}: ${err}`);
      return out;
    };
    equal(await succeeds(commands.take("deno task leads list")), "No leads.\n");
    const [, id] = /^(\w{8}) /m.exec((await succeeds("deno task leads list")).split("\n")[1]!)!;
    const show = commands.take("deno task leads show 6b7e82a4").replace("6b7e82a4", id!);
    match(await succeeds(show), /ada@example\.com/);
    match(await succeeds(commands.take("deno task leads stats")), /1/);
    await succeeds(commands.take("deno task leads export --format csv > leads.csv"));
    match(await Deno.readTextFile(`${terminal.folder}/leads.csv`), /ada@example\.com/);
    match(await succeeds(commands.take("deno task leads retry --dead")), /^No delivery is dead/);
    const erase = commands.take("deno task leads erase ada@example.com");
    // It asks, and here is nobody to answer.
    match((await terminal.run(erase)).err, /no terminal.* --yes does not ask/);
    match(await succeeds(`${erase} --yes`), /^Erased 1 lead /);
    match(await succeeds(commands.take("deno task leads --help")), /erase/);
    await postLeadOf("Second GmbH", port);
    const reseal = [commands.take('echo "LEAD_ENCRYPTION_KEYS='), ...commands.rest()].join("\n");
    equal(await succeeds(reseal), "1 lead of 1 sealed anew\n");
    match((await terminal.run("deno task leads list")).err, /Cannot open what is sealed/);
    commands.end();
  });
});

Deno.test("README: pages for people and agents", async () => {
  const commands = await documented("README.md", "Pages for people and agents");
  const port = freePort();
  const here = onPorts({ 8000: port });
  await withTerminal({ PORT: String(port) }, async (terminal) => {
    const service = terminal.start(commands.take("deno task dev"));
    await service.prints(/runs on/);
    const asMarkdown = here(commands.take("curl -H 'accept: text/markdown'"));
    const { out } = await terminal.run(asMarkdown);
    match(out, /^# /m);
    equal(out, (await terminal.run(`curl http://localhost:${port}/docs.md`)).out);
    match((await terminal.run(here(commands.take("curl ")))).out, /^# /);

    const page = `${terminal.folder}/static/pages/en/docs.md`;
    await Deno.writeTextFile(page, `${await Deno.readTextFile(page)}\nA line more.\n`);
    await until(
      "the change is there",
      async () =>
        (await terminal.run(asMarkdown).catch(() => undefined))?.out.includes("A line more.") ??
          false,
      20_000,
    );
  });
  ok(await isRunInCi(commands.take("deno task test:agents")));
  ok(await isRunInCi(commands.take("deno task test:browser")));
  commands.end();
});

Deno.test("README: settings from a file", async () => {
  const commands = await documented("README.md", "Configuration");
  const port = freePort();
  await withTerminal({ PORT: String(port) }, async (terminal) => {
    const copied = await terminal.run(commands.take("cp -n .env.example .env"));
    equal(copied.code, 0, copied.err);
    await Deno.writeTextFile(`${terminal.folder}/.env`, "SITE_NAME=Of the file\n");
    const service = terminal.start(commands.take("deno task --env-file=.env start"));
    await service.prints(/^Of the file on http/m);
    commands.end();
  });
});

Deno.test("README: the doctor names what an environment still lacks", async () => {
  const commands = await documented("README.md", "Deploying");
  await withTerminal({}, async (terminal) => {
    const environment = "SITE_URL=http://localhost:8000\nKV_PATH=.data/leads.sqlite\n";
    await Deno.writeTextFile(`${terminal.folder}/.env.production`, environment);
    const { code, out } = await terminal.run(commands.take("deno task --env-file=.env.production"));
    commands.end();
    equal(code, 1);
    match(out, /^ok +configuration: /m);
    match(out, /^ok +kv: \.data\/leads\.sqlite: /m);
    match(out, /^FAIL +site_url: .* Set SITE_URL to the public address/m);
  });
});
