/**
 * @module The permissions of the start task. All process tests run the service with exactly these, and
 * `tests/process/start_test.ts` removes each. The network is not narrowed, because the hosts of targets
 * and KV are configuration.
 */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";

Deno.test("the start task allows the network, its variables, reading static/ and .data/, writing .data/", async () => {
  const { tasks } = JSON.parse(
    await Deno.readTextFile(new URL("../../deno.json", import.meta.url)),
  );
  const words = String(tasks.start.command).split(" ").filter((word) => word.startsWith("-"));
  const variables = words.filter((word) => /^--allow-env=\w+/.test(word));
  equal(variables.length, 1, "variables are named, or begin like those of the service");
  deepEqual(words.filter((word) => !variables.includes(word)).sort(), [
    "--allow-net",
    "--allow-read=static,.data",
    "--allow-write=.data",
  ]);
});
