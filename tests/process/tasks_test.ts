/**
 * @module Every task of deno.json: echo, `--help`, unknown options; what `deno task test` runs and
 * reports.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import CONFIG from "../../deno.json" with { type: "json" };
import { copyFolder, copyProject } from "../support/checkout.ts";
import { run, runDeno, start } from "../support/command.ts";
import { withFolder } from "../support/service.ts";
import { until } from "../support/until.ts";

const ROOT = new URL("../../", import.meta.url);
const TASKS = Object.entries(CONFIG.tasks);

/** What a newcomer needs, in this order. */
const FIRST = ["start", "dev", "init", "test", "leads", "doctor"];
const UNKNOWN = /(?:unknown option|cannot understand) '?--no-such-option/i;
const WITHIN_MS = 30_000;
const AT_ONCE = 4;

Deno.test("a newcomer's tasks come first; a description has 80 characters, an echo 100", () => {
  deepEqual(TASKS.slice(0, FIRST.length).map(([name]) => name), FIRST);
  for (const [name, { description, command }] of TASKS) {
    ok(description.length <= 80, description);
    ok(`Task ${name} ${command}`.length <= 100, command);
  }
});

Deno.test("--help prints a usage, an unknown option a sentence with exit code 2, and neither does more", () =>
  withFolder(async (folder) => {
    await copyProject(folder);
    const files = () => run(["find", "-type", "f", "-printf", "%p %s %T@\\n"], { cwd: folder });
    const before = await files();
    const lines = TASKS.flatMap(([name]) => [[name, "--help"], [name, "--no-such-option"]]);
    // A group, so that the deadline also ends what a task has started.
    const how = { cwd: folder, env: { PORT: "1" }, group: true, withinMs: WITHIN_MS };
    const problems: string[] = [];
    async function work(): Promise<void> {
      for (let line = lines.pop(); line !== undefined; line = lines.pop()) {
        const [name, option] = line;
        const { code, out, err } = await runDeno(["task", "-q", ...line], how);
        const isRight = option === "--help"
          ? code === 0 && err === "" && new RegExp(`deno task ${name}\\b`).test(out)
          : code === 2 && out === "" && UNKNOWN.test(err) && !/^ +at /m.test(err);
        if (!isRight) problems.push(`${line}: ${code}, ${out}${err}`);
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    deepEqual(problems, []);
    deepEqual(await files(), before);
  }));

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
    const files = ["deno.json", "deno.lock", "contract/deno.json", "cli/terminal.ts"]
      .concat(["deno.json", "deno.lock", "tiers.ts", "run.ts"].map((name) => `tests/${name}`));
    for (const file of files) await Deno.copyFile(new URL(file, ROOT), `${folder}/${file}`);
    for (const room of ["config", "leads", "lib"]) {
      await copyFolder(new URL(`${room}/`, ROOT), `${folder}/${room}`);
    }
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
    const [table, total] = all.err.split("\n\n").slice(-2);
    const [units, contract] = table!.split("\n");
    equal(total, "steps: 0 passed, 2 failed, 0 skipped\n");
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
