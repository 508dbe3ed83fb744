/** @module Options, Python and verdict of `deno task fuzz`, without running Schemathesis. */

import assert, { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { parseFuzzOptions, resultOf } from "../../contract/fuzz.ts";
import { ensureEnvironment } from "../../contract/lib/python_environment.ts";
import { test } from "./small_service.ts";

Deno.test("parseFuzzOptions() generates less for production, and refuses what it cannot do", () => {
  const production = ["--live", "--url", "https://www.example.com/"];
  deepEqual([[], production].map((args) => parseFuzzOptions(args).examples), [100, 10]);
  for (const args of [["--live"], ["--examples", "0"], ["--depth", "3"]]) {
    assert.throws(() => parseFuzzOptions(args), { name: "UsageError" }, args.join(" "));
  }
});

test("ensureEnvironment() installs by hash, once for each Python and requirements.txt", async (root) => {
  const [requirements, folder] = [new URL("requirements.txt", root), new URL("a space/", root)];
  const [log, python] = [`${root.pathname}log`, `${root.pathname}python3`];
  /** Returns the commands that a Python of this version has received. */
  async function install(version: string, code = 0): Promise<string[]> {
    const bin = `"${fileURLToPath(folder)}bin"`;
    const venv = `mkdir -p ${bin}; cp "$0" ${bin}/python`;
    const answer = `case "$2" in venv) ${venv};; pip) exit ${code};; *) echo ${version};; esac`;
    await Deno.writeTextFile(python, `#!/bin/sh\necho "$@" >> ${log}\n${answer}\n`, {
      mode: 0o755,
    });
    await Deno.writeTextFile(log, "");
    await ensureEnvironment({ folder, requirements, python });
    return (await Deno.readTextFile(log)).trim().split("\n").slice(1);
  }
  await Deno.writeTextFile(requirements, "one==1 --hash=sha256:00\n");
  await assert.rejects(install("3.12.3", 1), {
    name: "CannotRun",
    message: /-m pip install has failed/,
  });
  const [venv, pip] = await install("3.12.3");
  assert.match(venv!, /^-m venv --clear .*a space\/$/);
  assert.match(pip!, /^-m pip install .*--require-hashes .*--only-binary=:all: /);
  equal((await install("3.12.3")).length, 0);
  await Deno.writeTextFile(requirements, "one==2 --hash=sha256:00\n");
  equal((await install("3.12.3")).length, 2);
  equal((await install("3.13.0")).length, 2);
  await Deno.writeTextFile(python, "#!/bin/sh\nexit 1\n");
  const old = ensureEnvironment({ folder, requirements, python });
  await assert.rejects(old, { name: "CannotRun", message: /3\.11 or newer.*apt-get install/ });
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

Deno.test("resultOf() is passed, violated with findings, or incomplete whatever the exit code", () => {
  deepEqual(resultOf(0, reportOf()), { outcome: "Passed", calls: 210, findings: [] });
  const report = reportOf({
    failures: [{ title: "Server error", operations: ["POST /a", "GET /b"] }],
    errors: [{ title: "Network Error" }],
    warnings: { missing_auth: [], rate_limited: ["POST /a"] },
  });
  const { outcome, findings } = resultOf(1, report);
  equal(outcome, "Violated");
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
    equal(outcome, "Could not run");
    assert.match(reason!, new RegExp(`ended with ${code} `));
  }
});
