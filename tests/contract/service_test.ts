/** @module Instances that the harness starts: from a changed copy, and none that outlives the run. */

import assert, { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { readInstances } from "../../contract/instances.ts";
import { createLauncher, StartError } from "../../contract/service.ts";

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
