/** @module Every task of deno.json: its echo fits a line, `--help` only helps, an unknown option is a sentence. */

import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import CONFIG from "../../deno.json" with { type: "json" };
import { copyProject } from "../support/checkout.ts";
import { run, runDeno } from "../support/command.ts";
import { withFolder } from "../support/service.ts";

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
    const faults: string[] = [];
    async function work(): Promise<void> {
      for (let line = lines.pop(); line !== undefined; line = lines.pop()) {
        const [name, option] = line;
        const { code, out, err } = await runDeno(["task", "-q", ...line], how);
        const isRight = option === "--help"
          ? code === 0 && err === "" && new RegExp(`deno task ${name}\\b`).test(out)
          : code === 2 && out === "" && UNKNOWN.test(err) && !/^ +at /m.test(err);
        if (!isRight) faults.push(`${line}: ${code}, ${out}${err}`);
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    deepEqual(faults, []);
    deepEqual(await files(), before);
  }));
