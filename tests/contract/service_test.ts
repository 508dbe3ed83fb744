/** @module Instances that the harness starts: from a changed copy, and none that outlives the run. */

import assert, { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { readInstances } from "../../contract/instances.ts";
import { createLauncher, StartError, StopError } from "../../contract/service.ts";
import { withFolder } from "../support/service.ts";

Deno.test("a copy of the service with another file is started, and the project stays as it is", async () => {
  const root = new URL("../../", import.meta.url);
  const instances = await readInstances(new URL("contract/cases/", root));
  const { file, text } = instances!.broken;
  const before = await Deno.readTextFile(new URL(file, root));
  const launcher = createLauncher(root);
  try {
    const { url } = await launcher.start({}, { [file]: text });
    const statuses = [];
    for (const path of ["/", "/api/health"]) {
      const response = await fetch(url + path);
      await response.body?.cancel();
      statuses.push(response.status);
    }
    deepEqual(statuses, [500, 200]);
    await assert.rejects(launcher.start({}, { "no/such/file": "" }), StartError);
  } finally {
    await launcher.stopAll();
  }
  equal(await Deno.readTextFile(new URL(file, root)), before);
});

Deno.test("an instance that is on its way is stopped with the others", async () => {
  const launcher = createLauncher(new URL("../../", import.meta.url));
  const coming = launcher.start();
  await launcher.stopAll();
  const { url } = await coming;
  await assert.rejects(fetch(url), TypeError);
});

/** A project whose service does as told, after it has said so. */
async function projectOf(folder: string, program: string): Promise<URL> {
  const project = new URL(`file://${folder}/`);
  await Deno.mkdir(new URL("static/", project));
  const task = "deno run --allow-net --allow-env main.ts";
  await Deno.writeTextFile(
    new URL("deno.json", project),
    JSON.stringify({ tasks: { start: task } }),
  );
  await Deno.writeTextFile(new URL("main.ts", project), `console.log("begun");\n${program}`);
  return project;
}

const LISTENS = `{ hostname: "127.0.0.1", port: Number(Deno.env.get("PORT")) }`;

for (
  const [what, program] of [
    ["never listens", "setInterval(() => {}, 1_000);"],
    ["accepts and never answers", `Deno.serve(${LISTENS}, () => new Promise(() => {}));`],
  ] as const
) {
  Deno.test(`a service that ${what} is killed in time, and the failure holds what it printed`, () =>
    withFolder(async (folder) => {
      const project = await projectOf(folder, program);
      const launcher = createLauncher(project, { comeUp: 3_000, end: 1_000 });
      const began = performance.now();
      await assert.rejects(launcher.start(), (error: Error) => {
        assert(error instanceof StartError);
        assert.match(error.message, /^Cannot start the service: begun/);
        return true;
      });
      assert(performance.now() - began < 10_000);
    }));
}

Deno.test("a service that does not end when it is told to is killed, and that is an error", () =>
  withFolder(async (folder) => {
    const project = await projectOf(
      folder,
      `Deno.addSignalListener("SIGTERM", () => console.log("goes on"));
       Deno.serve(${LISTENS}, () => new Response());`,
    );
    const launcher = createLauncher(project, { comeUp: 20_000, end: 500 });
    await launcher.start();
    await assert.rejects(launcher.stopAll(), (error: Error) => {
      assert(error instanceof StopError);
      assert.match(error.message, /goes on/);
      return true;
    });
  }));
