/** @module The parts of `deno task fuzz` that decide; the run itself is its own task. */

import assert, { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { parseFuzzOptions, repeatCommand } from "../../contract/fuzz/options.ts";
import {
  ensureEnvironment,
  findPython,
  type Outcome,
  PythonError,
  type Runner,
} from "../../contract/fuzz/python.ts";
import { resultOf } from "../../contract/fuzz/schemathesis.ts";
import { UsageError } from "../../contract/options.ts";
import { runDeno } from "../support/command.ts";

const CONTRACT = new URL("../../contract/", import.meta.url);

Deno.test("without options fuzz starts the service itself, with a fixed seed", () => {
  deepEqual(parseFuzzOptions([]), {
    url: undefined,
    live: false,
    seed: 42,
    examples: 100,
    report: undefined,
    help: false,
  });
});

Deno.test("a service in production is asked little unless more is asked for", () => {
  const live = ["--live", "--url", "https://www.example.com/"];
  equal(parseFuzzOptions(live).examples, 10);
  equal(parseFuzzOptions(live).url, "https://www.example.com");
  equal(parseFuzzOptions([...live, "--examples", "30"]).examples, 30);
});

Deno.test("a command line of fuzz that makes no sense is refused with the option's name", () => {
  const senseless: [string[], RegExp][] = [
    [["--live"], /--url/],
    [["--examples", "0"], /--examples/],
    [["--examples", "many"], /--examples/],
    [["--seed", "-1"], /seed/],
    [["--url", "ftp://example.com"], /--url/],
    [["--depth", "3"], /depth/],
    [["extra"], /extra/],
  ];
  for (const [args, says] of senseless) {
    assert.throws(() => parseFuzzOptions(args), (error: Error) => {
      assert(error instanceof UsageError, args.join(" "));
      assert.match(error.message, says);
      return true;
    });
  }
});

Deno.test("the command that repeats a run of fuzz is read as that run", () => {
  for (const line of ["", "--url http://localhost:1/base --live --seed 7 --examples 3"]) {
    const options = parseFuzzOptions(line.split(" ").filter((word) => word !== ""));
    const [, , , ...again] = repeatCommand(options).split(" ");
    deepEqual(parseFuzzOptions(again), options);
  }
});

function saying(output: string, code = 0): Runner {
  return () => Promise.resolve({ code, output });
}

Deno.test("a Python from 3.11 on that can make environments will do", async () => {
  deepEqual(await findPython(saying("3 11 0 venv")), { command: "python3", version: "3.11.0" });
  deepEqual((await findPython(saying("3 14 2 venv"))).version, "3.14.2");
});

Deno.test("where there is no Python that will do, fuzz says what to install", async () => {
  const nowhere: Runner = () => Promise.reject(new Deno.errors.NotFound());
  const unfit: [Runner, RegExp][] = [
    [nowhere, /there is no python3 .*apt-get install python3/],
    [saying("3 10 12 venv"), /Python 3\.11 or newer, and python3 is 3\.10\.12/],
    [saying("3 12 3 None"), /cannot make virtual environments .*apt-get install python3-venv/],
    [saying("no version is set", 127), /does not work: no version is set/],
  ];
  for (const [run, says] of unfit) {
    await assert.rejects(findPython(run), (error: Error) => {
      assert(error instanceof PythonError);
      assert.match(error.message, says);
      return true;
    });
  }
});

Deno.test("fuzz without any Python on the PATH ends with 2 and does not run", async () => {
  const empty = await Deno.makeTempDir();
  try {
    const { code, err } = await runDeno(["run", "-A", new URL("fuzz.ts", CONTRACT).href], {
      env: { PATH: empty },
    });
    equal(code, 2);
    assert.match(err, /there is no python3/);
  } finally {
    await Deno.remove(empty);
  }
});

/** An environment whose programs are not run; the commands that were asked for are kept. */
async function withEnvironment(
  test: (
    make: (outcome?: Outcome, version?: string) => Promise<string[]>,
    requirements: URL,
  ) => Promise<void>,
): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "with space " });
  const requirements = new URL(`file://${root}/requirements.txt`);
  const folder = new URL(`file://${root}/env/`);
  await Deno.writeTextFile(requirements, "one==1 --hash=sha256:00\n");
  async function make(outcome: Outcome = { code: 0, output: "" }, version = "3.12.3") {
    const commands: string[] = [];
    const run: Runner = async (command, args) => {
      commands.push([command, ...args].join(" "));
      await Deno.mkdir(folder, { recursive: true }); // as venv would
      return outcome;
    };
    await ensureEnvironment({ folder, requirements, python: { command: "python3", version }, run });
    return commands;
  }
  try {
    await test(make, requirements);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("the environment is made once, every file held to its hash", async () => {
  await withEnvironment(async (make) => {
    const [venv, pip, ...more] = await make();
    deepEqual(more, []);
    assert.match(venv!, /^python3 -m venv .*with space .*env\/$/);
    assert.match(pip!, /env\/bin\/python -m pip install .*--require-hashes .*--only-binary=:all: /);
    assert.match(pip!, /--requirement .*with space .*requirements\.txt$/);
    deepEqual(await make(), []);
  });
});

Deno.test("another requirements.txt or another Python makes the environment anew", async () => {
  await withEnvironment(async (make, requirements) => {
    await make();
    await Deno.writeTextFile(requirements, "one==2 --hash=sha256:00\n");
    equal((await make()).length, 2);
    equal((await make(undefined, "3.13.0")).length, 2);
    deepEqual(await make(undefined, "3.13.0"), []);
  });
});

Deno.test("an environment that could not be made is told of, and tried again", async () => {
  await withEnvironment(async (make) => {
    const failing = make({ code: 1, output: "ERROR: hashes do not match" });
    await assert.rejects(failing, /Cannot fuzz: -m venv .*\nERROR: hashes do not match/s);
    equal((await make()).length, 2);
  });
});

/** A report as Schemathesis writes it, with what matters here. */
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

Deno.test("a run held when every operation was tested and nothing was found", () => {
  deepEqual(resultOf(0, reportOf()), { outcome: "held", calls: 210, findings: [] });
});

Deno.test("a run that found something says what and where", () => {
  const report = reportOf({
    failures: [{ title: "Server error", operations: ["POST /a", "GET /b"] }],
    errors: [{ title: "Network Error" }],
    warnings: { missing_auth: [], rate_limited: ["POST /a"] },
  });
  const { outcome, findings } = resultOf(1, report);
  equal(outcome, "violated");
  deepEqual(findings, ["Server error: POST /a, GET /b", "Network Error", "rate_limited"]);
});

Deno.test("a run that left something out has not held, whatever its exit code", () => {
  const partial: [number, unknown][] = [
    [0, reportOf({ operations: { total: 5, tested: 2 } })],
    [0, reportOf({ operations: { total: 0, tested: 0 } })],
    [0, reportOf({ operations: null })],
    [0, reportOf({ complete: false })],
    [0, null],
    [2, reportOf()],
    [130, reportOf()],
  ];
  for (const [code, report] of partial) {
    const { outcome, reason } = resultOf(code, report);
    equal(outcome, "could not run");
    assert.match(reason!, new RegExp(`ended with ${code} `));
  }
});

Deno.test("every package for fuzz is pinned by version and hash, Schemathesis as asked for", async () => {
  const read = (name: string) => Deno.readTextFile(new URL(name, CONTRACT));
  const lines = (await read("requirements.txt")).replaceAll("\\\n", " ").split("\n");
  const packages = lines.filter((line) => /^\s*[^#\s]/.test(line));
  assert(packages.length > 20);
  for (const line of packages) assert.match(line, /^[\w.-]+==[\w.]+ .*--hash=sha256:[0-9a-f]{64}/);
  const [asked] = /^schemathesis==\S+/m.exec(await read("requirements.in")) ?? [];
  assert(asked !== undefined && packages.some((line) => line.startsWith(`${asked} `)));
});

Deno.test("fuzz leaves out no operation and no check", async () => {
  const text = await Deno.readTextFile(new URL("schemathesis.toml", CONTRACT));
  const settings = text.split("\n").map((line) => line.replace(/#.*/, "").trim()).join("\n");
  deepEqual(settings.match(/.*(?:exclude|include|false).*/g), ["enabled = false"]);
  assert.match(settings, /\[cache\]\nenabled = false/);
});
