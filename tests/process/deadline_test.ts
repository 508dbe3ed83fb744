/** @module Deadlines of processes in tests: a late one is killed, and the failure quotes its output. */

import { match, ok, rejects } from "node:assert/strict";
import { run, start } from "../support/command.ts";
import { until } from "../support/until.ts";

/** Prints its process id and ignores SIGTERM; its child holds the output open. */
const HANGS = ["bash", "-c", "trap 'echo stays' TERM; echo process $$; while :; do sleep 1; done"];

async function isGone(message: string): Promise<boolean> {
  const [, pid] = /process (\d+)/.exec(message)!;
  return (await run(["kill", "-0", pid!])).code !== 0;
}

Deno.test("run() and end() kill a program that ignores signals, whatever holds its output open", async () => {
  const began = performance.now();
  const late = await run(HANGS, { withinMs: 300 }).then(String, ({ message }: Error) => message);
  match(late, /^Killed 300 ms after its start: bash -c /);
  ok(performance.now() - began < 900, "its child delays the test");
  ok(await isGone(late));

  const program = start(HANGS, { stopWithinMs: 500, group: true });
  await until("it has started", () => /process/.test(program.output()));
  await rejects(program.end(), /^Error: Killed 500 ms after SIGTERM: [^]*stays/);
  ok(await isGone(program.output()));
});
