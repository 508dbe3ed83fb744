/** @module `deno task doctor` as a process, with exactly the permissions of its task. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { run, runDeno } from "../support/command.ts";
import { withReceiver } from "../support/receiver.ts";
import { withFolder, withRunningService } from "../support/service.ts";
import { startFlags } from "../support/start_task.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** The arguments with which Deno runs the doctor, in any folder: the service's permissions. */
async function doctorArguments(): Promise<string[]> {
  const flags = (await startFlags(ROOT)).slice(1);
  return ["run", "--no-prompt", ...flags, `${ROOT}cli/doctor.ts`];
}

Deno.test("the doctor has exactly the service's permissions", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  const start = tasks.start.command.replace("deno run ", "deno run --no-prompt ");
  equal(tasks.doctor.command, start.replace("main.ts", "cli/doctor.ts"));
});

Deno.test("the doctor checks the database and the target of a running service", () =>
  withReceiver((receiver) =>
    withRunningService(async (service) => {
      const { code, out } = await runDeno(await doctorArguments(), {
        cwd: service.folder,
        env: {
          LEAD_TARGETS: receiver.url,
          LEAD_TARGET_HEADERS: `${new URL(receiver.url).host}:X-Key=zz81`,
          SITE_URL: "https://www.example.invalid",
        },
      });
      equal(code, 0, out);
      match(out, /^ok {4}permissions: all granted\.$/m);
      match(out, /^ok {4}kv: .*found by another connection\.$/m);
      match(out, /^ok {4}target 127\.0\.0\.1:\d+: accepted a test event\.$/m);
      match(out, / 0 failed\n$/);
      deepEqual(
        receiver.received.map(({ body, headers }) => [JSON.parse(body).type, headers["x-key"]]),
        [["lead.test", "zz81"]],
      );
      equal(out.includes("zz81"), false, "the doctor prints a header's value");
      equal(await service.end(), 0);
    }, { LEAD_TARGETS: receiver.url })
  ));

Deno.test("the doctor leaves nothing behind where no service has run; a closed pipe is not a success", () =>
  withFolder(async (folder) => {
    const line = [Deno.execPath(), ...await doctorArguments(), "--no-send"].join("' '");
    const script = `'${line}' | { read -r; }; echo \${PIPESTATUS[0]}`;
    const { out, err } = await run(["bash", "-c", script], { cwd: folder });
    deepEqual([out, err], ["1\n", ""]);
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  }));
