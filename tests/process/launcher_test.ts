/** @module `deno task test` and its like as processes: what they run, how they report it and how they end. */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import { copyFolder } from "../support/checkout.ts";
import { run, runDeno, start } from "../support/command.ts";
import { withFolder } from "../support/service.ts";
import { until } from "../support/until.ts";

const ROOT = new URL("../../", import.meta.url);

const TESTS = `Deno.test("adds", () => {});
Deno.test("fails", () => { throw new Error("as it should"); });
`;
const HANGS = `Deno.test("hangs", async () => {
  console.error("pid", Deno.pid);
  await new Promise((done) => setTimeout(done, 60_000));
});
`;

/** Runs a test with a project of these tests, and a contract that exits with 3. */
function withProject(tests: string, test: (folder: string) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    for (const path of ["cli", "leads", "tests", "contract"]) await Deno.mkdir(`${folder}/${path}`);
    const files = [
      "deno.json",
      "deno.lock",
      "tests/deno.json",
      "tests/deno.lock",
      "tests/tiers.ts",
    ];
    for (const file of [...files, "tests/run.ts", "contract/deno.json", "cli/terminal.ts"]) {
      await Deno.copyFile(new URL(file, ROOT), `${folder}/${file}`);
    }
    await copyFolder(new URL("leads/", ROOT), `${folder}/leads`);
    await Deno.writeTextFile(`${folder}/tests/one_test.ts`, tests);
    await Deno.writeTextFile(`${folder}/contract/main.ts`, "Deno.exit(3);\n");
    await test(folder);
  });
}

Deno.test("test runs tests and contract and names those that failed; a filter or files, the tests alone", () =>
  withProject(TESTS, async (cwd) => {
    const task = (...words: string[]) => runDeno(["task", "-q", ...words], { cwd });
    const all = await task("test");
    equal(all.code, 3, all.out + all.err);
    match(all.out, / 1 passed \| 1 failed/);
    const [, units, contract] = all.err.split("\n\n").at(-1)!.match(/^(.*)\n(.*)\n$/)!;
    match(units!, /^✗ test:unit +\d+\.\d s {3}deno task -q test:unit$/);
    match(contract!, /^✗ contract +\d+\.\d s {3}deno task -q contract$/);
    for (const words of [["--filter", "adds"], ["tests/one_test.ts", "--filter", "no such"]]) {
      const { code, out, err } = await task("test", ...words);
      equal(code, 0, out + err);
      ok(!/contract|[1-9] failed/.test(out + err), out + err);
    }
  }));

Deno.test("a signal ends the tests with the task, and no step follows", () =>
  withProject(HANGS, async (cwd) => {
    const running = start([Deno.execPath(), "task", "-q", "test"], { cwd });
    await until("the test runs", () => /^pid \d+$/m.test(running.output()), 20_000);
    const [, pid] = /^pid (\d+)$/m.exec(running.output())!;
    equal(await running.end("SIGTERM"), 143);
    match(running.output(), /^- contract +not run$/m);
    await until("the test ends", async () => (await run(["kill", "-0", pid!])).code !== 0, 5_000);
  }));
