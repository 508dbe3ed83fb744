/** @module The programs behind the tasks of deno.json: `--help`, unknown options, `.env`; the report of `deno task test`. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import CONFIG from "../../deno.json" with { type: "json" };
import { copyFolder, copyProject } from "../support/checkout.ts";
import { type Ended, run, runDeno, start } from "../support/command.ts";
import { freePort, withFolder } from "../support/service.ts";
import { runTask } from "../support/start_task.ts";
import { withCopy, withDev } from "../support/dev_task.ts";
import { until } from "../support/until.ts";

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

    const hanging = `console.log("begun"); await new Promise((r) => setTimeout(r, 60_000));`;
    await Deno.writeTextFile(`${cwd}/tests/one_test.ts`, hanging);
    const interrupted = start([Deno.execPath(), "task", "-q", "test"], { cwd });
    await until("it runs", () => interrupted.output().includes("begun"), 30_000);
    equal(await interrupted.end("SIGTERM"), 143, interrupted.output());
    match(interrupted.output(), /\n- contract +not run\n[^]*\n0 passed, 2 failed\n$/);

    const config = structuredClone(CONFIG);
    config.permissions.tests.run = false;
    await Deno.writeTextFile(`${cwd}/deno.json`, JSON.stringify(config));
    const forbidden = await test();
    equal(forbidden.code, 1, forbidden.out);
    match(forbidden.out, /\nCannot run contract: Requires run access [^]*\n0 passed, 2 failed\n$/);
  }));

const GOOD = "KV_PATH=.data/file.sqlite\n";
const BAD = `${GOOD}LEAD_WEBHOOK_SECRET=secret-word\nLEAD_TARGETS=secret-word\n`;
const SITE_URL = "https://www.example.invalid";

interface Run {
  readonly title: string;
  /** The contents of `.env`; null: a folder. */
  readonly file?: string | Uint8Array | null;
  readonly words: string;
  readonly env?: Record<string, string>;
  readonly code?: number;
  readonly prints: RegExp;
}

const RUNS: readonly Run[] = [
  {
    title: "there need be none",
    words: "leads list",
    code: 1,
    prints: /\.data\/frontdoor\.sqlite/,
  },
  {
    title: "the doctor reads it",
    file: GOOD,
    words: "doctor --no-send",
    prints: /valid; \.env has been read\.\n[^]*\.data\/file\.sqlite: does not exist yet/,
  },
  {
    title: "a variable that is set wins",
    file: GOOD,
    words: "leads list",
    env: { KV_PATH: ".data/set.sqlite" },
    code: 1,
    prints: /^Cannot open KV at \.data\/set\.sqlite/,
  },
  {
    title: "a file that is given wins",
    file: GOOD,
    words: "--env-file=given leads list",
    code: 1,
    prints: /^Cannot open KV at \.data\/given\.sqlite/,
  },
  {
    title: "the doctor warns that it is not on Deno Deploy",
    file: "KV_PATH=\n",
    words: "doctor --no-send --for deploy",
    prints: /^warn {2}configuration: variables of \.env count here/m,
  },
  {
    title: "leads reads it",
    file: GOOD,
    words: "leads list",
    code: 1,
    prints: /^Cannot open KV at \.data\/file\.sqlite/,
  },
  {
    title: "an invalid value in it is named by its variable",
    file: BAD,
    words: "start",
    code: 2,
    prints: /\n {2}LEAD_TARGETS entry 1 must .*\n {2}LEAD_WEBHOOK_SECRET entry 1 must be whsec_/,
  },
  {
    title: "leads ends if Deno could not read a line of it",
    file: `\uFEFF${BAD}`,
    words: "leads list",
    code: 2,
    prints: /\n {2}KV_PATH in \.env could not be read: /,
  },
  {
    title: "one that cannot be read ends the start",
    file: null,
    words: "start",
    code: 2,
    prints: /\n {2}\.env cannot be read: is a directory\n/,
  },
  {
    title: "one that is not UTF-8 ends the start",
    file: Uint8Array.of(0xff, 0xfe, 65),
    words: "start",
    code: 2,
    prints: /\n {2}\.env cannot be read: it is not UTF-8\n/,
  },
];

function bytesOf(file: string | Uint8Array): Uint8Array {
  return typeof file === "string" ? new TextEncoder().encode(file) : file;
}

Deno.test("tasks read .env without a flag, and print no value of it", () =>
  withFolder(async (cwd) => {
    await copyProject(cwd);
    await Deno.writeTextFile(`${cwd}/given`, "KV_PATH=.data/given.sqlite\n");
    for (const { title, file, words, env = { SITE_URL }, code = 0, prints } of RUNS) {
      if (file === null) await Deno.mkdir(`${cwd}/.env`);
      else if (file !== undefined) await Deno.writeFile(`${cwd}/.env`, bytesOf(file));
      const ended = words.startsWith("-")
        ? await runDeno(["task", "-q", ...words.split(" ")], { cwd, env })
        : await runTask(words, { cwd, env });
      if (file !== undefined) await Deno.remove(`${cwd}/.env`);
      const printed = ended.out + ended.err;
      equal(ended.code, code, `${title}: ${printed}`);
      match(printed, prints, title);
      ok(!/secret-word|Warning/.test(printed), printed);
    }
  }));

Deno.test("dev reads .env, and again when it changes; the summary names it", () =>
  withCopy(async (project) => {
    const write = (name: string) =>
      Deno.writeTextFile(`${project}.env`, `PORT=${freePort()}\nSITE_NAME=${name}\n`);
    await write("First");
    await withDev(async ({ output }) => {
      await until("it starts", () => /^First on .*\n[^]*settings +\.env$/m.test(output()));
      await write("Second\n\uFEFFLEAD_RETENTION=1d");
      const second = /^Second on .*\n[^]*settings +\.env, but not in use: LEAD_RETENTION$/m;
      await until("it starts again", () => second.test(output()), 20_000);
    }, { project });
  }));
