/**
 * @module `deploy/frontdoor.service` says the truth: its command is the start task's, and a service
 * started by it, in its folder and with its environment, takes leads and stops in time.
 *
 * Without systemd: what its sandbox allows is not seen here (`deno task test:deploy` has systemd's own
 * opinion on the file).
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { copyProject } from "../support/checkout.ts";
import { type Running, start } from "../support/command.ts";
import { postLead } from "../support/post_lead.ts";
import { freePort, withFolder } from "../support/service.ts";
import { settings, unitSection } from "../support/unit_file.ts";
import { until } from "../support/until.ts";

const ROOT = new URL("../../", import.meta.url);
const SERVICE = unitSection(
  await Deno.readTextFile(new URL("deploy/frontdoor.service", ROOT)),
  "Service",
);

Deno.test("the unit's command is that of the start task, without fetching anything", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const [, words] = /^deno run (.*)$/.exec(tasks.start.command)!;
  equal(SERVICE.get("ExecStart"), `/usr/local/bin/deno run --cached-only --frozen ${words}`);
});

/** Runs the unit's command with its folders in a temporary one, as systemd would; gives its state folder. */
async function withUnit(
  env: Record<string, string>,
  test: (service: Running, state: string) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const project = `${folder}${SERVICE.get("WorkingDirectory")}`;
    const state = `${folder}/var/lib/${SERVICE.get("StateDirectory")}`;
    for (const path of [project, state]) await Deno.mkdir(path, { recursive: true });
    await copyProject(project);
    await Deno.symlink(state, `${project}/.data`);
    const [, ...args] = SERVICE.get("ExecStart")!.split(" ");
    const service = start([Deno.execPath(), ...args], {
      cwd: project,
      env: {
        ...settings(await Deno.readTextFile(new URL(".env.example", ROOT))),
        ...Object.fromEntries(SERVICE.get("Environment")!.split(" ").map((one) => one.split("="))),
        ...env,
      },
    });
    try {
      await test(service, state);
    } finally {
      await service.end("SIGKILL");
    }
  });
}

Deno.test("started by the unit's command a service takes a lead into the state directory, and stops in time", async () => {
  const port = freePort();
  await withUnit({ PORT: String(port) }, async (service, state) => {
    let answer: unknown;
    await until("the service answers", async () => {
      const response = await postLead(`http://127.0.0.1:${port}`).catch(() => undefined);
      answer = await response?.json();
      return answer !== undefined;
    }, 20_000);
    deepEqual(answer, { ok: true, delivered: false });
    ok((await Deno.stat(`${state}/frontdoor.sqlite`)).isFile);
    const began = Date.now();
    equal(await service.end(SERVICE.get("KillSignal") as Deno.Signal), 0);
    ok(Date.now() - began < Number(SERVICE.get("TimeoutStopSec")) * 1000);
  });
});

Deno.test("the exit code that the unit does not restart is that of a configuration that cannot be used", () =>
  withUnit({ PORT: "none" }, async ({ finished }) => {
    equal(String(await finished), SERVICE.get("RestartPreventExitStatus"));
  }));
