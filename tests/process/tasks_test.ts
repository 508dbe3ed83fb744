/** @module The programs behind the tasks of deno.json: `--help`, unknown options; the report of `deno task test`. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import CONFIG from "../../deno.json" with { type: "json" };
import { copyFolder, copyProject } from "../support/checkout.ts";
import { type Ended, run } from "../support/command.ts";
import { withFolder } from "../support/service.ts";
import { runTask } from "../support/start_task.ts";

const ROOT = new URL("../../", import.meta.url);

/** One task of each program; those of the operators are in `tests/cli/`. */
const TASKS = Map.groupBy(
  Object.entries(CONFIG.tasks),
  ([, { command }]) => /\S+\.ts/.exec(command)![0],
).values().map(([[name] = [""]]) => name).filter((name) => !/^(?:leads|doctor)$/.test(name))
  .toArray();

Deno.test("--help prints a usage, an unknown option a sentence with exit code 2, and neither does more", () =>
  withFolder(async (folder) => {
    await copyFolder(ROOT, folder);
    const files = () => run(["find", "-type", "f", "-printf", "%p %s %T@\\n"], { cwd: folder });
    const before = await files();
    const how = { cwd: folder, env: { PORT: "1" }, withinMs: 30_000 };
    for (const name of TASKS) {
      const [help, unknown] = await Promise.all(
        ["--help", "--no-such"].map((option) => runTask(`${name} ${option}`, how)),
      ) as [Ended, Ended];
      deepEqual([help.code, help.err], [0, ""], name);
      match(help.out, RegExp(`deno task ${name}\\b`));
      deepEqual([unknown.code, unknown.out], [2, ""], name);
      match(unknown.err, /(?:unknown option|cannot understand) '?--no-such/i);
      equal(/^ +at /m.test(unknown.err), false, unknown.err);
    }
    deepEqual(await files(), before);
  }));

const TESTS = `Deno.test("adds", () => console.log("3 passed, 0 failed"));
Deno.test("fails", () => { throw new Error("ok | 9 passed | 0 failed (1ms)"); });
`;

Deno.test("test names what failed, counts all tests in its last line, and passes colours on", () =>
  withFolder(async (cwd) => {
    await copyProject(cwd);
    for (const name of ["contract", "tests"]) await Deno.mkdir(`${cwd}/${name}`);
    for (const name of ["deno.json", "deno.lock", "tiers.ts", "run.ts"]) {
      await Deno.copyFile(new URL(`tests/${name}`, ROOT), `${cwd}/tests/${name}`);
    }
    await Deno.writeTextFile(`${cwd}/tests/one_test.ts`, TESTS);
    await Deno.writeTextFile(`${cwd}/contract/main.ts`, "Deno.exit(3);\n");
    const test = (...words: string[]) =>
      // Both streams in one, as a terminal has them.
      run(["sh", "-c", `"$0" task -q test "$@" 2>&1`, Deno.execPath(), ...words], {
        cwd,
        env: { NO_COLOR: "" },
      });

    const all = await test();
    equal(all.code, 3, all.out);
    match(all.out, /\n✗ test:unit .* {3}deno task -q test:unit\n✗ contract .* task -q contract\n/);
    match(all.out, /\n1 passed, 2 failed\n$/);
    ok(all.out.includes("adds ... \x1b[0m\x1b[32mok"), all.out);
    const one = await test("--filter", "adds");
    equal(one.code, 0, one.out);
    match(one.out, /\n1 passed, 0 failed\n$/);

    await Deno.writeTextFile(`${cwd}/tests/one_test.ts`, "no code");
    const broken = await test("--filter", "adds");
    equal(broken.code, 1, broken.out);
    match(broken.out, /\n0 passed, 1 failed\n$/);
  }));
