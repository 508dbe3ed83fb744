/** @module README's commands run as written; `.env.example` has every setting with its default. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { SECRETS } from "../../cli/doctor/settings.ts";
import { parseConfig, VARIABLES } from "../../config/config.ts";
import { postLead } from "../support/post_lead.ts";
import { freePort } from "../support/service.ts";
import { documented } from "./document.ts";
import { withTerminal } from "./terminal.ts";

const ROOT = new URL("../../", import.meta.url);
const EXAMPLE = await Deno.readTextFile(new URL(".env.example", ROOT));
const README = await Deno.readTextFile(new URL("README.md", ROOT));
const NAMES = VARIABLES.filter((name) => !name.startsWith("DENO_"));

Deno.test("README: start, send a lead, manage leads, read pages, run the doctor", async () => {
  const port = freePort();
  const here = (command: string) => command.replaceAll("localhost:8000", `localhost:${port}`);
  await withTerminal({ PORT: String(port) }, async (terminal) => {
    const succeeds = async (line: string) => {
      const { code, out, err } = await terminal.run(here(line));
      equal(code, 0, `${line}: ${out}${err}`);
      return out;
    };
    const service = terminal.start((await documented("README.md", "Two commands")).take("deno"));
    await service.prints(new RegExp(`on http://localhost:${port}`));
    const sending = (await documented("README.md", "Send a lead")).take("curl -i ");
    const answer = (await succeeds(sending)).split("\r\n");
    equal(answer.at(-1), '{"ok":true,"delivered":false}');
    const { id } = JSON.parse(await succeeds("deno task leads export --format jsonl"));
    for (const command of (await documented("README.md", "Managing leads")).rest()) {
      await succeeds(command.replace("6b7e82a4", id).replace(/ erase \S+$/, "$& --yes"));
    }
    const pages = (await documented("README.md", "Pages for people and agents")).rest();
    for (const command of pages.filter((line) => line.startsWith("curl"))) {
      match(await succeeds(command), /^# /m);
    }
    await Deno.writeTextFile(`${terminal.folder}/.env.production`, "KV_PATH=:memory:\n");
    const doctor = (await documented("README.md", "Deploying")).take("deno task --env-file");
    match((await terminal.run(doctor)).out, /^FAIL +site_url: /m);
  });
});

Deno.test("README: receive a lead, and configure by a file", async () => {
  const commands = await documented("README.md", "Receive a lead");
  const copy = (await documented("README.md", "Configuration")).take("cp -n .env.example .env");
  const [port, receiverPort] = [freePort(), freePort()];
  await withTerminal({ PORT: String(port) }, async (terminal) => {
    // The receiver's port is in its source.
    const demo = `${terminal.folder}/cli/demo_receiver.ts`;
    const text = await Deno.readTextFile(demo);
    await Deno.writeTextFile(demo, text.replace("port: 9000", `port: ${receiverPort}`));
    equal((await terminal.run(commands.take("echo"))).code, 0);
    const receiver = terminal.start(commands.take("deno run --config deno.json "));
    await receiver.prints(/Listening on/);
    const command = commands.take("LEAD_TARGETS=").replace("9000", `${receiverPort}`);
    const service = terminal.start(command);
    await service.prints(/runs on/);
    commands.end();
    const response = await postLead(`http://localhost:${port}`);
    deepEqual(await response.json(), { ok: true, delivered: true });
    await receiver.prints(/^\{"type":"lead\.created","timestamp":"[^"]+","data":\{"id":/m);
    await Deno.remove(`${terminal.folder}/.env`);
    equal((await terminal.run(copy)).code, 0);
    equal(await Deno.readTextFile(`${terminal.folder}/.env`), EXAMPLE);
  });
});

Deno.test("README: the commands for Deno Deploy set the secrets as secrets, and load no secret", async () => {
  const [, commands] = /^```sh\n(export DENO_DEPLOY_TOKEN=.*?)^```$/ms.exec(README)!;
  // Every other command but those of Deno Deploy and git is run.
  const prelude = `git() { :; }
    deno() { if [ "$1" = deploy ]; then shift; printf '%s\\0' "$*" >> log; else "$DENO" "$@"; fi; }`;
  await withTerminal({ DENO: Deno.execPath() }, async (terminal) => {
    const given = [...NAMES, "OTEL_SERVICE_NAME", "DENO_KV_ACCESS_TOKEN"];
    const file = given.map((name) => `${name}="value of\n${name}"\n`).join("");
    await Deno.writeTextFile(`${terminal.folder}/.env.production`, `# LEAD_TARGETS=\n${file}`);
    const { code, out, err } = await terminal.run(`${prelude}\n${commands}`);
    deepEqual([code, err], [0, ""], out);
    const calls = (await Deno.readTextFile(`${terminal.folder}/log`)).split("\0");
    const app = "--org YOUR_ORG --app YOUR_APP";
    const plain = NAMES.filter((name) => ![...SECRETS, "HOST", "PORT"].includes(name));
    deepEqual(calls.filter((line) => line.startsWith("env ")), [
      ...SECRETS.map((name) => `env add ${name} value of\n${name} ${app} --secret`),
      ...plain.map((name) => `env add ${name} value of\n${name} ${app}`),
    ]);
  });
});

Deno.test(".env.example names every variable, and sets the defaults", () => {
  deepEqual([...EXAMPLE.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name), NAMES);
  deepEqual(parseConfig(settings(EXAMPLE.replaceAll(/^#([A-Z_]+=)/gm, "$1"))), parseConfig({}));
});

/** `NAME=value` lines. */
function settings(text: string): Record<string, string> {
  const lines = text.matchAll(/^([A-Z_]+)=(?:"(.*)"|(.*))$/gm);
  return Object.fromEntries(
    lines.map(([, name, quoted, plain]) => [name, quoted ?? plain!.trim()]),
  );
}
