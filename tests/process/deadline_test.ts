/** @module Deadlines of processes in tests: a late one is killed, and the failure quotes its output. */

import { ok, rejects } from "node:assert/strict";
import { run, start } from "../support/command.ts";
import { until } from "../support/until.ts";

/** Prints its process id and ignores SIGTERM; its child holds the output open. */
const HANGS = ["bash", "-c", "trap 'echo stays' TERM; echo process $$; while :; do sleep 1; done"];

async function isGone(message: string): Promise<boolean> {
  const [, pid] = /process (\d+)/.exec(message)!;
  return (await run(["kill", "-0", pid!])).code !== 0;
}

Deno.test("run() kills a program at its deadline, whatever holds its output open", async () => {
  let message = "";
  const began = performance.now();
  await rejects(run(HANGS, { withinMs: 300 }), (error: Error) => {
    message = error.message;
    return /^Killed 300 ms after its start: bash -c /.test(message);
  });
  ok(performance.now() - began < 900, "its child delays the test");
  ok(await isGone(message));
});

Deno.test("end() kills a program that ignores the signal", async () => {
  const program = start(HANGS, { stopWithinMs: 500, group: true });
  await until("it has started", () => /process/.test(program.output()));
  await rejects(program.end(), (error: Error) => {
    ok(/^Killed 500 ms after SIGTERM: /.test(error.message), error.message);
    return /stays/.test(error.message);
  });
  ok(await isGone(program.output()));
});
