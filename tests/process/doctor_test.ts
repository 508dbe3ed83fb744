/**
 * @module The doctor as a process, with exactly the permissions of its task, where a service runs and
 * where none has run yet.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import type { Finding } from "../../cli/doctor/check.ts";
import { type Ended, run, runDeno } from "../support/command.ts";
import { withReceiver } from "../support/receiver.ts";
import { withFolder, withRunningService } from "../support/service.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** The word that opens the permissions of a task, up to its file. */
async function flagsOf(task: string, file: string): Promise<string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  const words = String(tasks[task].command).split(" ");
  equal(words.at(-1), file);
  return words.slice(2, -1);
}

/** The arguments with which Deno runs the doctor, in any folder. */
async function doctorArguments(): Promise<string[]> {
  const flags = await flagsOf("doctor", "cli/doctor.ts");
  const there = flags.map((word) => word.replace("static,", `${ROOT}static,`));
  return ["run", ...there, `${ROOT}cli/doctor.ts`];
}

async function doctor(
  words: readonly string[],
  { folder, env = {} }: { readonly folder: string; readonly env?: Record<string, string> },
): Promise<Ended> {
  return await runDeno([...await doctorArguments(), ...words], { cwd: folder, env });
}

Deno.test("the doctor has the service's permissions, and asks for no others", async () => {
  const start = await flagsOf("start", "main.ts");
  deepEqual(await flagsOf("doctor", "cli/doctor.ts"), ["--no-prompt", ...start]);
});

Deno.test("where no service has run yet, KV can be used and nothing is left behind", () =>
  withFolder(async (folder) => {
    const { code, out, err } = await doctor(["--json"], { folder });
    equal(code, 1, "the address is this machine's own");
    equal(err, "");
    const findings: Finding[] = JSON.parse(out).findings;
    const failed = findings.filter(({ state }) => state === "fail").map(({ check }) => check);
    deepEqual(failed, ["site_url"]);
    match(
      findings.find(({ check }) => check === "kv")!.message,
      /^\.data\/frontdoor\.sqlite: written in/,
    );
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  }));

Deno.test("while a service runs, its database and its target can be examined", () =>
  withReceiver((receiver) =>
    withRunningService(async (service) => {
      const { code, out } = await doctor([], {
        folder: service.folder,
        env: { LEAD_TARGETS: receiver.url, SITE_URL: "https://www.example.invalid" },
      });
      equal(code, 0, out);
      match(out, /^ok {4}permissions: all that is needed\.$/m);
      match(out, /^ok {4}kv: /m);
      match(out, /^ok {4}webhook:.*: took a test event\.$/m);
      match(out, / 0 failed\n$/);
      const events = receiver.received.filter(({ method }) => method === "POST");
      deepEqual(events.map(({ body }) => JSON.parse(body).type), ["lead.test"]);
      equal(await service.end(), 0);
    }, { LEAD_TARGETS: receiver.url })
  ));

Deno.test("a command line that makes no sense ends with 2, and help with 0", () =>
  withFolder(async (folder) => {
    const refused = await doctor(["--send"], { folder });
    deepEqual([refused.code, refused.out], [2, ""]);
    match(refused.err, /^Cannot run the doctor: it takes --no-send/);
    const helped = await doctor(["--help"], { folder });
    equal(helped.code, 0);
    ok(helped.out.includes("deno task doctor"));
  }));

Deno.test("when its output is closed, as behind `| head`, it ends silently and not with 0", () =>
  withFolder(async (folder) => {
    const line = [Deno.execPath(), ...await doctorArguments(), "--no-send"].join("' '");
    const { out, err } = await run([
      "bash",
      "-c",
      `'${line}' | { read -r; }; echo \${PIPESTATUS[0]}`,
    ], {
      cwd: folder,
    });
    deepEqual([out, err], ["1\n", ""]);
  }));
