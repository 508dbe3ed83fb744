/** @module Instances that the harness starts do not outlive the run. */

import assert from "node:assert/strict";
import { CannotRun } from "../../contract/lib/cannot_run.ts";
import { createLauncher } from "../../contract/service/instances/launcher.ts";
import { test } from "./small_service.ts";

async function projectOf(project: URL, program: string): Promise<URL> {
  await Deno.mkdir(new URL("static/", project));
  const permissions = { service: { net: true, env: true } };
  await Deno.writeTextFile(new URL("deno.json", project), JSON.stringify({ permissions }));
  await Deno.writeTextFile(new URL("main.ts", project), `console.log("started");\n${program}`);
  return project;
}

const LISTENS = `{ hostname: "127.0.0.1", port: Number(Deno.env.get("PORT")) }`;

test("stopAll() stops an instance that is still starting", async (folder) => {
  const project = await projectOf(folder, `Deno.serve(${LISTENS}, () => new Response());`);
  const launcher = createLauncher(project);
  const coming = launcher.start();
  await launcher.stopAll();
  const { url } = await coming;
  await assert.rejects(fetch(url), TypeError);
  await assert.rejects(launcher.start({}, { "no/such/file": "" }), CannotRun);
});

test("start() kills a service that never answers, and reports its output", async (folder) => {
  const program = `Deno.serve(${LISTENS}, () => new Promise(() => {}));`;
  const launcher = createLauncher(await projectOf(folder, program), { start: 1_500, stop: 500 });
  await assert.rejects(launcher.start(), /^CannotRun: Cannot start the service: started/);
});

test("stopAll() kills a service that ignores SIGTERM, and reports it", async (folder) => {
  const program = `Deno.addSignalListener("SIGTERM", () => console.log("alive"));
      Deno.serve(${LISTENS}, () => new Response());`;
  const launcher = createLauncher(await projectOf(folder, program), { start: 20_000, stop: 500 });
  await launcher.start();
  await assert.rejects(launcher.stopAll(), /^CannotRun: Cannot stop the service: .*alive/s);
});
