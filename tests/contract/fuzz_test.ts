/** @module The parts of `deno task fuzz` that decide; the run itself is its own task. */

import assert, { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { parseFuzzOptions, repeatCommand } from "../../contract/fuzz/options.ts";
import {
  ensureEnvironment,
  findPython,
  type Outcome,
  type Runner,
} from "../../contract/fuzz/python.ts";
import { resultOf } from "../../contract/fuzz/schemathesis.ts";

const CONTRACT = new URL("../../contract/", import.meta.url);

Deno.test("options of fuzz: a fixed seed, few requests in production, errors by name", () => {
  const { url, live, seed, examples, report, help } = parseFuzzOptions([]);
  deepEqual({ url, live, seed, examples, report, help }, {
    url: undefined,
    live: false,
    seed: 42,
    examples: 100,
    report: undefined,
    help: false,
  });
  const production = ["--live", "--url", "https://www.example.com/"];
  equal(parseFuzzOptions(production).examples, 10);
  equal(parseFuzzOptions(production).url, "https://www.example.com");
  equal(parseFuzzOptions([...production, "--examples", "30"]).examples, 30);
  const wrong: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [["--live"], /--url/],
    [["--examples", "0"], /--examples/],
    [["--examples", "many"], /--examples/],
    [["--seed", "-1"], /seed/],
    [["--url", "ftp://example.com"], /--url/],
    [["--depth", "3"], /depth/],
    [["extra"], /extra/],
  ];
  for (const [args, message] of wrong) {
    assert.throws(() => parseFuzzOptions(args), { name: "UsageError", message });
  }
});

Deno.test("the command that repeats a run of fuzz is read as that run", () => {
  for (const line of ["", "--url http://localhost:1/base --live --seed 7 --examples 3"]) {
    const options = parseFuzzOptions(line.split(" ").filter((word) => word !== ""));
    deepEqual(parseFuzzOptions(repeatCommand(options).split(" ").slice(3)), options);
  }
});

function saying(output: string, code = 0): Runner {
  return () => Promise.resolve({ code, output });
}

Deno.test("a Python from 3.11 on is used, and any other refused with what to install", async () => {
  deepEqual(await findPython(saying("3 11 0 venv")), { command: "python3", version: "3.11.0" });
  equal((await findPython(saying("3 14 2 venv"))).version, "3.14.2");
  const nowhere: Runner = () => Promise.reject(new Deno.errors.NotFound());
  const unfit: [Runner, RegExp][] = [
    [nowhere, /there is no python3 .*apt-get install python3/],
    [saying("3 10 12 venv"), /Python 3\.11 or newer, and python3 is 3\.10\.12/],
    [saying("3 12 3 None"), /cannot create virtual environments .*apt-get install python3-venv/],
    [saying("no version is set", 127), /does not work: no version is set/],
  ];
  for (const [run, message] of unfit) {
    await assert.rejects(findPython(run), { name: "CannotRun", message });
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

Deno.test("the environment is made once, from hashes, and again when its sources change", () =>
  withEnvironment(async (make, requirements) => {
    await assert.rejects(
      make({ code: 1, output: "ERROR: hashes do not match" }),
      /Cannot fuzz: -m venv .*\nERROR: hashes do not match/s,
    );
    const [venv, pip, ...more] = await make();
    deepEqual(more, []);
    assert.match(venv!, /^python3 -m venv .*with space .*env\/$/);
    assert.match(pip!, /env\/bin\/python -m pip install .*--require-hashes .*--only-binary=:all: /);
    assert.match(pip!, /--requirement .*with space .*requirements\.txt$/);
    deepEqual(await make(), []);
    await Deno.writeTextFile(requirements, "one==2 --hash=sha256:00\n");
    equal((await make()).length, 2);
    equal((await make(undefined, "3.13.0")).length, 2);
    deepEqual(await make(undefined, "3.13.0"), []);
  }));

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

Deno.test("a run that tested every operation without findings held", () => {
  deepEqual(resultOf(0, reportOf()), { outcome: "held", calls: 210, findings: [] });
});

Deno.test("findings have their operations", () => {
  const report = reportOf({
    failures: [{ title: "Server error", operations: ["POST /a", "GET /b"] }],
    errors: [{ title: "Network Error" }],
    warnings: { missing_auth: [], rate_limited: ["POST /a"] },
  });
  const { outcome, findings } = resultOf(1, report);
  equal(outcome, "violated");
  deepEqual(findings, ["Server error: POST /a, GET /b", "Network Error", "rate_limited"]);
});

Deno.test("an incomplete run could not run, whatever its exit code", () => {
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

Deno.test("fuzz leaves out no operation and no check", async () => {
  const text = await Deno.readTextFile(new URL("schemathesis.toml", CONTRACT));
  const settings = text.split("\n").map((line) => line.replace(/#.*/, "").trim()).join("\n");
  deepEqual(settings.match(/.*(?:exclude|include|false).*/g), ["enabled = false"]);
  assert.match(settings, /\[cache\]\nenabled = false/);
});
