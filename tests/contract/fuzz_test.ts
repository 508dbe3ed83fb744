/** @module Options, Python and verdict of `deno task fuzz`, without running Schemathesis. */

import assert, { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { parseFuzzOptions, repeatCommand } from "../../contract/fuzz/options.ts";
import { ensureEnvironment, findPython, type Runner } from "../../contract/fuzz/python.ts";
import { resultOf } from "../../contract/fuzz/schemathesis.ts";
import { test } from "./small_service.ts";

Deno.test("parseFuzzOptions() generates less for production, and refuses what it cannot do", () => {
  const production = ["--live", "--url", "https://www.example.com/"];
  deepEqual([[], production].map((args) => parseFuzzOptions(args).examples), [100, 10]);
  for (const args of [["--live"], ["--examples", "0"], ["--depth", "3"]]) {
    assert.throws(() => parseFuzzOptions(args), { name: "UsageError" }, args.join(" "));
  }
});

Deno.test("repeatCommand() gives the same options again", () => {
  for (const line of ["", "--url http://localhost:1/base --live --seed 7 --examples 3"]) {
    const options = parseFuzzOptions(line.split(" ").filter((word) => word !== ""));
    deepEqual(parseFuzzOptions(repeatCommand(options).split(" ").slice(3)), options);
  }
});

Deno.test("findPython() accepts 3.11 and newer, and otherwise names the package to install", async () => {
  const printing = (output: string, code = 0): Runner => () => Promise.resolve({ code, output });
  deepEqual(await findPython(printing("3 11 0 venv")), { command: "python3", version: "3.11.0" });
  equal((await findPython(printing("3 14 2 venv"))).version, "3.14.2");
  const unfit: [Runner, RegExp][] = [
    [() => Promise.reject(new Deno.errors.NotFound()), /no python3 .*apt-get install python3/],
    [printing("3 10 12 venv"), /Python 3\.11 or newer, and python3 is 3\.10\.12/],
    [printing("3 12 3 None"), /cannot create virtual environments .*install python3-venv/],
    [printing("no version is set", 127), /does not work: no version is set/],
  ];
  for (const [run, message] of unfit) {
    await assert.rejects(findPython(run), { name: "CannotRun", message });
  }
});

test("ensureEnvironment() installs by hash, once for each Python and requirements.txt", async (root) => {
  const requirements = new URL("requirements.txt", root);
  const folder = new URL("with space/env/", root);
  async function install(code = 0, version = "3.12.3"): Promise<string[]> {
    const commands: string[] = [];
    const run: Runner = async (command, args) => {
      commands.push([command, ...args].join(" "));
      await Deno.mkdir(folder, { recursive: true }); // like venv
      return { code, output: "ERROR: hashes do not match" };
    };
    const python = { command: "python3", version };
    await ensureEnvironment({ folder, requirements, python, run });
    return commands;
  }
  await Deno.writeTextFile(requirements, "one==1 --hash=sha256:00\n");
  await assert.rejects(install(1), /Cannot fuzz: -m venv .*\nERROR: hashes do not match/s);
  const [venv, pip] = await install();
  assert.match(venv!, /^python3 -m venv .*with space\/env\/$/);
  assert.match(pip!, /env\/bin\/python -m pip install .*--require-hashes .*--only-binary=:all: /);
  equal((await install()).length, 0);
  await Deno.writeTextFile(requirements, "one==2 --hash=sha256:00\n");
  equal((await install()).length, 2);
  equal((await install(0, "3.13.0")).length, 2);
});

function reportOf(changes: Record<string, unknown> = {}) {
  return {
    complete: true,
    operations: { total: 5, tested: 5 },
    test_cases: { generated: 210 },
    failures: [],
    errors: [],
    warnings: { missing_auth: [] },
    ...changes,
  };
}

Deno.test("resultOf() is held, violated with findings, or incomplete whatever the exit code", () => {
  deepEqual(resultOf(0, reportOf()), { outcome: "held", calls: 210, findings: [] });
  const report = reportOf({
    failures: [{ title: "Server error", operations: ["POST /a", "GET /b"] }],
    errors: [{ title: "Network Error" }],
    warnings: { missing_auth: [], rate_limited: ["POST /a"] },
  });
  const { outcome, findings } = resultOf(1, report);
  equal(outcome, "violated");
  deepEqual(findings, ["Server error: POST /a, GET /b", "Network Error", "rate_limited"]);
  const incomplete: [number, unknown][] = [
    [0, reportOf({ operations: { total: 5, tested: 2 } })],
    [0, reportOf({ operations: { total: 0, tested: 0 } })],
    [0, reportOf({ operations: null })],
    [0, reportOf({ complete: false })],
    [0, null],
    [2, reportOf()],
  ];
  for (const [code, partial] of incomplete) {
    const { outcome, reason } = resultOf(code, partial);
    equal(outcome, "could not run");
    assert.match(reason!, new RegExp(`ended with ${code} `));
  }
});

Deno.test("schemathesis.toml excludes no operation and no check", async () => {
  const file = new URL("../../contract/schemathesis.toml", import.meta.url);
  const settings = (await Deno.readTextFile(file)).replace(/ *#.*/g, "");
  deepEqual(settings.match(/.*(?:exclude|include|false).*/g), ["enabled = false"]);
  assert.match(settings, /\[cache\]\nenabled = false/);
});
