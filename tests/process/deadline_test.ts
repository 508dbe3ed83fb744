/** @module The deadline of every process that a test starts: it is killed, and its output is told. */

import { ok, rejects, strictEqual as equal } from "node:assert/strict";
import { run, runDeno, start } from "../support/command.ts";
import { freePort, runToItsEnd, withFolder } from "../support/service.ts";
import { until } from "../support/until.ts";

/** Says its process id, and what it hangs after; SIGTERM does nothing to it. */
const HANGS = `
  Deno.addSignalListener("SIGTERM", () => console.error("does not want to end"));
  console.log("process " + Deno.pid);
  await new Promise(() => setInterval(() => {}, 1_000));
`;

async function isGone(pid: number): Promise<boolean> {
  return (await run(["kill", "-0", String(pid)])).code !== 0;
}

function pidIn(text: string): number {
  return Number(/process (\d+)/.exec(text)![1]);
}

Deno.test("a program that does not end is killed at its deadline, and the failure holds its output", async () => {
  let message = "";
  await rejects(runDeno(["eval", HANGS], { withinMs: 3_000 }), (error: Error) => {
    message = error.message;
    return /^Killed 3000 ms after its start: .*deno eval/.test(message);
  });
  ok(await isGone(pidIn(message)), message);
});

Deno.test("a program that goes on for longer than a test is killed, and whatever waits for it fails", async () => {
  const program = start([Deno.execPath(), "eval", HANGS], { withinMs: 3_000 });
  await rejects(program.finished, /process \d+/);
  ok(await isGone(program.pid));
});

Deno.test("a program that does not end when it is told to is killed, and the failure holds its output", async () => {
  const program = start([Deno.execPath(), "eval", HANGS], { stopWithinMs: 500 });
  await until("it listens to signals", () => /process/.test(program.output()), 20_000);
  await rejects(program.end(), (error: Error) => {
    ok(/^Killed 500 ms after SIGTERM: /.test(error.message), error.message);
    return /does not want to end/.test(error.message);
  });
  ok(await isGone(program.pid));
});

Deno.test("a killed program's children with open output do not delay the test", async () => {
  const line = ["bash", "-c", "sleep 10 & echo process $!; wait"];
  let left = 0;
  const began = performance.now();
  await rejects(run(line, { withinMs: 300 }), (error: Error) => (left = pidIn(error.message)) > 0);
  ok(performance.now() - began < 5_000);
  equal(await isGone(left), false);
  Deno.kill(left, "SIGKILL");

  await rejects(
    run(line, { withinMs: 300, group: true }),
    (error: Error) => (left = pidIn(error.message)) > 0,
  );
  await until("the group is gone", () => isGone(left));
});

Deno.test("a service that a test waits for is killed as well", () =>
  withFolder(async (folder) => {
    const env = { PORT: String(freePort()) };
    await rejects(
      runToItsEnd(folder, env, { withinMs: 5_000 }),
      /Killed 5000 ms after its start[^]*leads go to {3}nowhere/,
    );
  }));

Deno.test("what a program prints, and how it ended, is told apart; input reaches it", async () => {
  const program = `
    console.log((await new Response(Deno.stdin.readable).text()).toUpperCase());
    console.error("trouble");
    Deno.exit(3);
  `;
  const { code, out, err } = await runDeno(["eval", program], { input: "hello" });
  equal(`${code} ${out}${err}`, "3 HELLO\ntrouble\n");
  const unheard = await runDeno(["eval", "console.log(1)"], { stdout: "null", input: "x" });
  equal(`${unheard.code}${unheard.out}`, "0");
});
