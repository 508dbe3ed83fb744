/** @module The harness as a program: options, exit codes, output and reports. */

import assert from "node:assert/strict";
import { parseOptions } from "../../contract/options.ts";
import { run, type RunResult } from "../../contract/run.ts";
import type { Tier } from "../../contract/session.ts";
import { readWaivers } from "../../contract/waivers.ts";
import { copyFolder } from "../support/checkout.ts";
import { type Ended, runDeno } from "../support/command.ts";
import { type Override, respond, setUp, withFolder } from "./small_service.ts";

const ROOT = new URL("../../", import.meta.url);

function contract(...args: string[]): Promise<Ended> {
  return runDeno(["task", "-q", "contract", ...args], { cwd: ROOT });
}

const wrongType: Override = ({ path }) =>
  path === "/api/alive" ? respond(200, {}, { "content-type": "text/json" }) : undefined;

async function withService(override: Override, test: (url: string, cases: URL) => Promise<void>) {
  await using setting = setUp({ override });
  await withFolder(async (cases) => {
    await Deno.writeTextFile(new URL("profile.yaml", cases), "document: /openapi.json\n");
    await test(setting.url, cases);
  });
}

Deno.test("a violation ends with exit code 1 and is in every report", () =>
  withService(wrongType, async (url, cases) => {
    const report = `${cases.pathname}report`;
    const folder = ["--cases", cases.pathname, "--report", report];
    const { code, out } = await contract("--url", url, ...folder, "--only", "document,http");
    assert.equal(code, 1, out);
    const first =
      "200 has media type text\\/json instead of application\\/json\n {2}rule media_type,";
    assert.match(out, new RegExp(`^✗ alive.*: ${first}`, "m"));
    assert.match(out, new RegExp(`^ {2}curl -i .* ${url}/api/alive$`, "m"));
    const read = (name: string) => Deno.readTextFile(`${report}/${name}`);
    assert.match(await read("junit.xml"), /<failure message="[^"]*200 has media type /);
    assert.match(await read("report.html"), /<h1>Violated<\/h1>/);
    const { open, held } = JSON.parse(await read("report.json"));
    assert.equal(held, false);
    assert.ok(open.some(({ check }: { check: string }) => check === "media_type"));
  }));

Deno.test("a copy of the folder tests a service by its own tasks, named as those of the project", () =>
  withService(wrongType, async (url, cases) => {
    const copy = `${cases.pathname}copy`;
    await copyFolder(new URL("contract/", ROOT), copy);
    const own = JSON.parse(await Deno.readTextFile(`${copy}/deno.json`)).tasks;
    const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
    for (const [name, command] of Object.entries<string>(own)) {
      assert.equal(tasks[name].command, command.replace(/(?<= )(?=\S+\.ts$)/, "contract/"));
    }
    const words = ["--url", url, "--cases", cases.pathname, "--only", "document,http"];
    const { code, out } = await runDeno(["task", "contract", ...words], { cwd: copy });
    assert.equal(code, 1, out);
    assert.match(out, /^✗ alive.*: 200 has media type text\/json/m);
  }));

Deno.test("an unreachable service ends with exit code 2 and one line", async () => {
  const { code, err } = await contract("--url", "http://127.0.0.1:2");
  assert.equal(code, 2);
  assert.match(err, /^Cannot reach \S+: nothing answers there\n$/);
});

async function runOn(url: string, cases: URL): Promise<RunResult> {
  const tier: Tier = {
    name: "http",
    tries: "the liveness probe",
    live: true,
    run: async (session) =>
      void await session.send({ method: "GET", path: "/api/alive" }, { title: "alive" }),
  };
  const effort = { live: false, complete: false, seed: 42, examples: 1 };
  const place = { corpus: undefined, launcher: undefined, tiers: [tier] };
  return await run({
    url,
    cases,
    waivers: await readWaivers(new URL("waivers.yaml", cases)),
    ...effort,
    ...place,
  });
}

Deno.test("a waiver next to the cases waives a finding and needs a reason", () =>
  withService(wrongType, async (url, cases) => {
    const write = (reason: string) =>
      Deno.writeTextFile(
        new URL("waivers.yaml", cases),
        `[{check: media_type, where: alive, message: 200 has, owner: tests, reason: ${reason}}]\n`,
      );
    assert.equal((await runOn(url, cases)).held, false);
    await write("This service is broken on purpose.");
    assert.equal((await runOn(url, cases)).held, true);
    await write("later");
    const message = /Cannot use waivers\.yaml:\n {2}waivers\.yaml:1: reason/;
    await assert.rejects(runOn(url, cases), message);
    await assert.rejects(runOn(url, new URL("file:///nowhere/")), /Cannot read \/nowhere\/profile/);
  }));

const limited: Override = ({ path }) => path === "/api/alive" ? respond(429, {}) : undefined;

Deno.test("requests over a limit are reported with settings that raise the limit", () =>
  withService(limited, async (url, cases) => {
    const { open, advice } = await runOn(url, cases);
    assert.equal(open.length > 0, true);
    assert.match(
      advice!,
      /`LEAD_RATE_LIMIT=\S+ LEAD_ATTEMPT_LIMIT=\S+ deno task start`, or use --live/,
    );
  }));

Deno.test("parseOptions() reads options and names invalid ones", () => {
  const { url, tiers, seed, examples } = parseOptions(["--url=http://a/b/", "--only", "raw, http"]);
  assert.deepEqual([url, tiers, seed, examples], ["http://a/b", ["raw", "http"], 42, 100]);
  const wrong = ["--sed 1", "--url example.com", "--against http://a?b", "--seed 1e3", "--generic"];
  const others = [
    "--header Name",
    "--header x\ty:z",
    "--cases x --generic --url http://a",
    "--url http://a:b@c",
    "--document http://a:b@c/d --url http://c",
  ];
  for (const line of [...wrong, ...others, "--time -1", "--live"]) {
    const message = new RegExp(line.split(" ")[0]!);
    assert.throws(() => parseOptions(line.split(" ")), { name: "UsageError", message });
  }
});
