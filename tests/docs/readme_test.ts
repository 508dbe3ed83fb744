/** @module The commands of README and of the pages beside it run as written. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { SECRETS } from "../../cli/doctor/settings.ts";
import { postLead } from "../support/post_lead.ts";
import { freePort } from "../support/service.ts";
import { documented, EXAMPLE, NAMES, textOf } from "./document.ts";
import { withTerminal } from "./terminal.ts";

Deno.test("start, send a lead, copy the database, manage leads, read pages", async () => {
  const port = freePort();
  const here = (command: string) =>
    command.replace("https://YOUR_APP.YOUR_ORG.deno.net", "http://localhost:8000")
      .replaceAll("localhost:8000", `localhost:${port}`);
  await withTerminal({ PORT: String(port) }, async (terminal) => {
    const succeeds = async (line: string) => {
      const { code, out, err } = await terminal.run(here(line));
      equal(code, 0, `${line}: ${out}${err}`);
      return out;
    };
    const first = await documented("README.md", "Two commands");
    const service = terminal.start(first.take("deno task start"));
    first.end();
    await service.prints(new RegExp(`on http://localhost:${port}`));
    const deployed = await documented("docs/deno-deploy.md", "4. Try it");
    match(await succeeds(deployed.take("curl -f ")), /"ok":true/);
    const sending = await documented("README.md", "Send a lead, see it");
    for (const [of, isTest] of [[deployed, true], [sending, false]] as const) {
      const answer = await succeeds(of.take("curl -i "));
      equal(answer.split("\r\n").at(-1), '{"ok":true,"delivered":false}');
      equal(/^lead-test: \?1\r$/m.test(answer), isTest);
    }
    deployed.end();
    match(await succeeds(sending.take("deno task leads list")), /ada@example\.com/);
    sending.end();

    const hosted = await documented("docs/deno-deploy.md", "Operate it");
    match(hosted.take("export KV_PATH="), / DENO_KV_ACCESS_TOKEN=/);
    await succeeds(["export KV_PATH=.data/frontdoor.sqlite", ...hosted.rest()].join("\n"));
    const [exported = ""] = (await Deno.readTextFile(`${terminal.folder}/leads.jsonl`)).split("\n");
    await succeeds("mv .data/backup.sqlite .data/moved.sqlite");
    const copied = await succeeds(
      "KV_PATH=.data/moved.sqlite deno task leads export --format jsonl",
    );
    equal(copied, `${exported}\n`);

    const { id } = JSON.parse(exported);
    for (const command of (await documented("docs/operate.md", "Managing leads")).rest()) {
      await succeeds(command.replace("6b7e82a4", id).replace(/ erase \S+$/, "$& --yes"));
    }
    for (const command of (await documented("docs/agents.md", "What agents find")).rest()) {
      match(await succeeds(command), /^# /m);
    }
    for (const command of (await documented("docs/operate.md", "Sealing")).rest()) {
      await succeeds(command);
    }
  });
});

Deno.test("receive a lead, configure by a file, and run the doctor", async () => {
  const commands = await documented("README.md", "Get leads");
  const [port, receiverPort] = [freePort(), freePort()];
  await withTerminal({ PORT: String(port) }, async (terminal) => {
    // The receiver's port is in its source.
    const demo = `${terminal.folder}/cli/demo_receiver.ts`;
    const text = await Deno.readTextFile(demo);
    await Deno.writeTextFile(demo, text.replace("port: 9000", `port: ${receiverPort}`));
    for (const begins of ['echo "LEAD_TARGETS=', 'echo "LEAD_WEBHOOK_SECRET=']) {
      const command = commands.take(begins).replace("9000", `${receiverPort}`);
      equal((await terminal.run(command)).code, 0);
    }
    const receiver = terminal.start(commands.take("deno run --config deno.json "));
    await receiver.prints(/Listening on/);
    const service = terminal.start(commands.take("deno task start"));
    await service.prints(/runs on/);
    equal((await terminal.run(commands.take("deno task leads send --stored"))).code, 0);
    commands.end();
    const response = await postLead(`http://localhost:${port}`);
    deepEqual(await response.json(), { ok: true, delivered: true });
    await receiver.prints(/^\{"type":"lead\.created","timestamp":"[^"]+","data":\{"id":/m);

    await Deno.remove(`${terminal.folder}/.env`);
    const settings = await documented("docs/configure.md", "Settings");
    const deploy = await documented("docs/deno-deploy.md", "1. Write the settings");
    for (const [copying, file] of [[settings, ".env"], [deploy, ".env.production"]] as const) {
      equal((await terminal.run(copying.take(`cp -n .env.example ${file}`))).code, 0);
      equal(await Deno.readTextFile(`${terminal.folder}/${file}`), EXAMPLE);
    }
    const own = await documented("docs/own.md", "The first hour");
    equal((await terminal.run(own.take("deno task check:pages"))).code, 0);
    const doctors = [settings, deploy, own, await documented("docs/configure.md", "The doctor")];
    for (const line of doctors.flatMap((one) => one.rest())) {
      const { code, out, err } = await terminal.run(line);
      equal(code, 1, `${line}: ${out}${err}`);
      match(out, /^FAIL +site_url: |"check": "site_url",\s+"state": "fail"/m, line);
    }
  });
});

Deno.test("set_variables adds the secrets as secrets, and all that a file has for Deno Deploy", async () => {
  const command = "deploy/set_variables .env.production YOUR_ORG YOUR_APP";
  for (const document of ["README.md", "docs/deno-deploy.md"]) {
    match(await textOf(document), RegExp(`^${command}$`, "m"));
  }
  const prelude = `deno() { "$DENO" "$@"; }
    npx() { shift 3; printf '%s\\0' "$*" >> log; }
    export -f deno npx`;
  await withTerminal({ DENO: Deno.execPath() }, async (terminal) => {
    const given = [...NAMES, "OTEL_SERVICE_NAME", "DENO_KV_ACCESS_TOKEN"];
    const file = given.map((name) => `${name}="value of\n${name}"\n`).join("");
    await Deno.writeTextFile(`${terminal.folder}/.env.production`, `# LEAD_TARGETS=\n${file}`);
    const { code, out, err } = await terminal.run(`${prelude}\n${command}`);
    deepEqual([code, err], [0, ""], out);
    const calls = (await Deno.readTextFile(`${terminal.folder}/log`)).split("\0").slice(0, -1);
    const app = "--org YOUR_ORG --app YOUR_APP";
    const plain = NAMES.filter((name) => ![...SECRETS, "HOST", "PORT"].includes(name));
    deepEqual(calls, [
      ...SECRETS.map((name) => `env add ${name} value of\n${name} ${app} --secret`),
      ...plain.map((name) => `env add ${name} value of\n${name} ${app}`),
    ]);
  });
});
