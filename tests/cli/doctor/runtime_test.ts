/** @module What the doctor says of versions of Deno, and of permissions of every size. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { TESTED_DENO, version } from "../../../cli/doctor/runtime.ts";
import type { Finding } from "../../../cli/doctor/check.ts";
import { runDeno } from "../../support/command.ts";
import { linesOf, patient } from "../../support/patient.ts";
import { withFolder } from "../../support/service.ts";
import { startFlags } from "../../support/start_task.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;

const VERSIONS = [
  ["2.9.6", "ok"],
  ["2.9.0", "ok"],
  ["2.9.17", "ok"],
  ["2.8.3", "fail"],
  ["1.46.0", "fail"],
  ["2.10.0", "warn"],
  ["3.0.0", "warn"],
] as const;

for (const [denoVersion, state] of VERSIONS) {
  Deno.test(`Deno ${denoVersion}: ${state}`, async () => {
    const [line] = await linesOf(version, patient({}, { denoVersion }));
    ok(line!.startsWith(`${state} version: Deno ${denoVersion}`), line);
  });
}

Deno.test("the version that the doctor takes for tested is the one that the tests run with", async () => {
  const run = await Deno.readTextFile(`${ROOT}.ci/run`);
  equal(/^deno_version=(.*)$/m.exec(run)?.[1], TESTED_DENO);
});

/** What the doctor finds of its permissions where Deno is given these flags. */
function permissionsWith(
  flags: readonly string[],
  env: Record<string, string> = {},
): Promise<Finding[]> {
  return withFolder(async (folder) => {
    const program = [`${ROOT}cli/doctor.ts`, "--json", "--no-send"];
    const { out } = await runDeno([...flags, "--no-prompt", ...program], { cwd: folder, env });
    const findings: Finding[] = JSON.parse(out).findings;
    return findings.filter(({ check }) => check === "permissions");
  });
}

Deno.test("with the flags of the start task nothing is missing and nothing too much", async () => {
  const [finding] = await permissionsWith(await startFlags(ROOT));
  deepEqual(finding, { check: "permissions", state: "ok", message: "all that is needed" });
});

Deno.test("with all permissions each one that is not needed is named", async () => {
  const [finding] = await permissionsWith(["run", "-A"]);
  equal(finding!.state, "warn");
  for (const name of ["run", "ffi", "sys", "env", "read", "write"]) {
    match(finding!.message, new RegExp(`--allow-${name}\\b`));
  }
});

Deno.test("with one permission more, that one is named", async () => {
  const [finding] = await permissionsWith([...await startFlags(ROOT), "--allow-run"]);
  equal(finding!.message, "beyond what is needed: --allow-run");
});

Deno.test("on Deno Deploy, where all is allowed, that is no finding", async () => {
  const env = {
    DENO_DEPLOY: "true",
    KV_PATH: "http://127.0.0.1:9",
    DENO_KV_ACCESS_TOKEN: "a-token-of-the-tests",
  };
  equal((await permissionsWith(["run", "-A"], env))[0]!.state, "ok");
});

/** A flag that is changed, the settings, and what is missing then. */
const MISSING = [
  [/^--allow-net$/, "", {}, "--allow-net=127.0.0.1:8000"],
  [/^--allow-net$/, "--allow-net=127.0.0.1", {
    LEAD_TARGETS: "https://a.invalid/secret smtps://mail.invalid?from=a@b.example&to=c@d.example",
  }, "--allow-net=a.invalid:443 --allow-net=mail.invalid:465"],
  [/^--allow-read=.*$/, "--allow-read=.data", {}, "--allow-read=static"],
  [/^--allow-write=.*$/, "", {}, "--allow-write=.data"],
  [
    /^--allow-write=.*$/,
    "--allow-write=.data",
    { KV_PATH: "/srv/frontdoor/kv.sqlite" },
    "--allow-read=/srv/frontdoor --allow-write=/srv/frontdoor",
  ],
  [/^--allow-env=PORT,/, "--allow-env=", {}, "--allow-env=PORT"],
] as const;

for (const [flag, instead, env, missing] of MISSING) {
  Deno.test(`without what is needed, it is named: ${missing}`, async () => {
    const flags = (await startFlags(ROOT)).map((word) => word.replace(flag, instead));
    const [finding] = await permissionsWith(flags.filter((word) => word !== ""), env);
    equal(finding!.state, "fail");
    equal(finding!.message, `missing: ${missing}`);
  });
}
