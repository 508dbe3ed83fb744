/** @module `deploy/`'s unit and Containerfile, run without systemd and container; compose.yaml agrees. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { parse } from "yaml";
import { parseConfig } from "../../config/config.ts";
import { documented } from "../docs/document.ts";
import { copyFolder, copyProject } from "../support/checkout.ts";
import { run, type Running, start } from "../support/command.ts";
import { postLead } from "../support/post_lead.ts";
import { freePort, untilListens, withFolder } from "../support/service.ts";
import { settings, unitSection } from "../support/unit_file.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string) => Deno.readTextFile(new URL(path, ROOT));
const UNIT = unitSection(await read("deploy/frontdoor.service"), "Service");
const DENOKV = unitSection(await read("deploy/denokv.service"), "Service");
const IMAGE = instructions(await read("deploy/Containerfile"));
const IGNORED = (await read(".dockerignore")).split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/** The instructions of a Containerfile of one stage, their continuation lines joined. */
function instructions(text: string): { name: string; rest: string }[] {
  const lines = text.replaceAll(/^#.*\n/gm, "").replaceAll(/\\\n\s*/g, "").trim().split(/\n+/);
  return lines.map((line) => {
    const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line)!;
    return { name: name!, rest: rest! };
  });
}

function theOne(name: string): string {
  const [one, ...others] = IMAGE.filter((instruction) => instruction.name === name);
  equal(others.length, 0, name);
  return one!.rest;
}

function words(name: string): string[] {
  return JSON.parse(/\[.*$/.exec(theOne(name))![0]);
}

async function acceptsLead(port: number, service: Running): Promise<void> {
  await untilListens(port, service);
  const response = await postLead(`http://127.0.0.1:${port}`);
  deepEqual(await response.json(), { ok: true, delivered: false });
}

Deno.test("the unit runs the start task without fetching; the image has the Deno of CI, and no root", async () => {
  const { tasks } = JSON.parse(await read("deno.json"));
  const [, words] = /^deno run (.*)$/.exec(tasks.start.command.replace(" --env-file", ""))!;
  equal(UNIT.get("ExecStart"), `/usr/local/bin/deno run --cached-only --frozen ${words}`);
  equal(UNIT.get("RestartPreventExitStatus"), "2", "an invalid configuration");
  const [, version] = /^deno_version=(.+)$/m.exec(await read(".ci/run"))!;
  equal(theOne("FROM"), `docker.io/denoland/deno:${version}`);
  equal(theOne("USER"), "deno");
});

Deno.test("the unit of denokv runs the guide's command, and writes only to its state directory", async () => {
  const commands = (await documented("deploy/README.md", "On several machines")).rest();
  const command = commands.find((line) => line.startsWith("denokv "));
  equal(DENOKV.get("ExecStart"), `/usr/local/bin/${command}`);
  match(command!, RegExp(` /var/lib/${DENOKV.get("StateDirectory")}/`));
});

Deno.test("compose.yaml agrees with the image, the settings, the unit of denokv and Caddy", async () => {
  const text = await read("deploy/compose.yaml");
  const { services, networks } = parse(text, { merge: true, uniqueKeys: true });
  const { denokv, caddy, ...replicas } = services;
  const [, version] = /--version (\S+)$/m.exec(await read(".ci/install_denokv"))!;
  equal(denokv.image, `ghcr.io/denoland/denokv:${version}`);
  const guide = await read("deploy/README.md");
  ok(guide.includes(`cargo install denokv --locked --version ${version} `));
  const line = denokv.command.join(" ").replace("/data", "/var/lib/denokv");
  equal(`/usr/local/bin/denokv ${line}`, DENOKV.get("ExecStart")!.replace("10.0.0.5", "0.0.0.0"));
  const upstreams = /reverse_proxy (.*) \{/.exec(await read("deploy/Caddyfile.compose"))![1]!;
  const port = theOne("EXPOSE");
  deepEqual(upstreams.split(" "), Object.keys(replicas).map((name) => `${name}:${port}`));
  const example = settings(await read(".env.example"));
  for (const { environment, ...replica } of Object.values<typeof denokv>(replicas)) {
    const config = parseConfig({ ...example, ...environment });
    deepEqual([config.host, `${config.port}`, config.trustedProxyHops], ["0.0.0.0", port, 1]);
    equal(config.kvPath, `http://denokv:${/:(\d+)$/.exec(line)![1]}`);
    deepEqual([replica.networks, replica.env_file], [["web", "kv"], "../.env"]);
  }
  deepEqual([denokv.networks, caddy.networks, networks.kv], [["kv"], ["web"], { internal: true }]);
  for (const [name, service] of Object.entries<typeof denokv>(services)) {
    const { read_only, init, cap_drop, security_opt, restart } = service;
    deepEqual([read_only, init, restart], [true, true, "unless-stopped"], name);
    deepEqual([cap_drop, security_opt], [["ALL"], ["no-new-privileges:true"]], name);
    equal("ports" in service, name === "caddy");
    equal("healthcheck" in service, !(name in replicas));
  }
  const required = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  deepEqual(required, ["DENO_KV_ACCESS_TOKEN", "SITE_URL"]);
  await Deno.stat(new URL(caddy.volumes[0].split(":")[0], new URL("deploy/", ROOT)));
});

Deno.test("the unit's command stores a lead in the state directory and stops in time", () =>
  withFolder(async (folder) => {
    const project = `${folder}${UNIT.get("WorkingDirectory")}`;
    const state = `${folder}/var/lib/${UNIT.get("StateDirectory")}`;
    for (const path of [project, state]) await Deno.mkdir(path, { recursive: true });
    await copyProject(project);
    await Deno.symlink(state, `${project}/.data`);
    const port = freePort();
    const env = {
      ...settings(await read(".env.example")),
      ...Object.fromEntries(UNIT.get("Environment")!.split(" ").map((one) => one.split("="))),
      PORT: String(port),
    };
    const [, ...args] = UNIT.get("ExecStart")!.split(" ");
    const service = start([Deno.execPath(), ...args], { cwd: project, env });
    try {
      await acceptsLead(port, service);
      ok((await Deno.stat(`${state}/frontdoor.sqlite`)).isFile);
      const began = Date.now();
      equal(await service.end(UNIT.get("KillSignal") as Deno.Signal), 0);
      ok(Date.now() - began < Number(UNIT.get("TimeoutStopSec")) * 1000);
    } finally {
      await service.end("SIGKILL");
    }
  }));

Deno.test("the files that the Containerfile copies suffice to cache, start, check, operate and stop", () =>
  withFolder(async (app) => {
    const port = freePort();
    const pairs = IMAGE.filter(({ name }) => name === "ENV").flatMap(({ rest }) => rest.split(" "));
    // Uses the machine's cache.
    const { DENO_DIR: _, ...declared } = Object.fromEntries(pairs.map((pair) => pair.split("=")));
    const env = { ...declared, HOST: "127.0.0.1", PORT: String(port) };
    const inApp = (line: readonly string[]) => run(line, { cwd: app, env });
    for (const { name, rest } of IMAGE) {
      if (name === "COPY") await copy(rest.split(" "), app);
      if (name !== "RUN") continue;
      const command = rest.replace(/ && chown deno:deno \S+$/, "");
      const { code, err } = await inApp(["sh", "-ec", command]);
      equal(code, 0, `${rest}: ${err}`);
    }
    const check = words("HEALTHCHECK");
    equal((await inApp(check)).code, 1, "not running yet");
    const entry = words("ENTRYPOINT");
    const service = start([...entry, ...words("CMD")], { cwd: app, env });
    try {
      await acceptsLead(port, service);
      equal((await inApp(check)).code, 0);
      const style = await fetch(`http://127.0.0.1:${port}/assets/site.css`);
      match(await style.text(), /\{/);
      const listed = await inApp([...entry, "leads", "list"]);
      match(listed.out, /ada@example\.com/, listed.err);
      equal(await service.end(theOne("STOPSIGNAL") as Deno.Signal), 0);
    } finally {
      await service.end("SIGKILL");
    }
  }));

async function copy(paths: readonly string[], app: string): Promise<void> {
  const to = `${app}/${paths.at(-1)}`;
  for (const name of paths.slice(0, -1)) {
    const isIgnored = IGNORED.some((one) => one === ".*" ? name.startsWith(".") : one === name);
    ok(!isIgnored, `.dockerignore excludes ${name}`);
    const from = new URL(name, ROOT);
    if (!(await Deno.stat(from)).isDirectory) await Deno.copyFile(from, `${to}${name}`);
    else await copyFolder(new URL(`${name}/`, ROOT), to);
  }
}
