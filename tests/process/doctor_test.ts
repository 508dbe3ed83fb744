/** @module `deno task doctor` as a process, with exactly the permissions of its task. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { runDeno } from "../support/command.ts";
import { withReceiver } from "../support/receiver.ts";
import { freePort, withFolder, withRunningService } from "../support/service.ts";
import { taskFlags } from "../support/start_task.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

async function doctorArguments(): Promise<string[]> {
  const [run, ...flags] = await taskFlags("doctor", ROOT);
  return [run!, "--no-prompt", ...flags, `${ROOT}cli/doctor.ts`];
}

Deno.test("the doctor checks the database and the target of a running service", () =>
  withReceiver((receiver) =>
    withRunningService(async (service) => {
      const { code, out } = await runDeno(await doctorArguments(), {
        cwd: service.folder,
        env: {
          LEAD_TARGETS: receiver.url,
          LEAD_TARGET_HEADERS: `${new URL(receiver.url).host}:X-Key=zz81`,
          SITE_URL: "https://www.example.invalid",
          TRUST_PROXY_HOPS: "1",
        },
      });
      equal(code, 0, out);
      match(out, /^warn {2}variables: TRUST_PROXY_HOPS is set, and no such variable exists\./m);
      equal(out.includes("zz81"), false, out);
      match(out, /^ok {4}kv: .*commits in \d+ ms\.$/m);
      match(out, /^ok {4}target 127\.0\.0\.1:\d+: accepted a test event\.$/m);
      match(out, / 0 failed\n$/);
      deepEqual(
        receiver.received.map(({ body, headers }) => [JSON.parse(body).type, headers["x-key"]]),
        [["lead.test", "zz81"]],
      );
      equal(await service.end(), 0);
    }, { LEAD_TARGETS: receiver.url })
  ));

const PASSWORDS = [
  ["begin#end", /^FAIL {2}configuration: LEAD_TARGETS entry 1 must .*password # is written %/m],
  ["$NO_SUCH_NAME", /^warn {2}credentials: .*In a password write # as %23 and \$ as %24/m],
  ["a%23b%24NO_SUCH_NAME%40", /^ok {4}configuration: [^]*^FAIL {2}target .*: refused/m],
] as const;

Deno.test("the doctor notices a password that --env-file has cut or replaced", () =>
  withFolder(async (folder) => {
    for (const [password, says] of PASSWORDS) {
      const target = `LEAD_TARGETS=http://ada:${password}@127.0.0.1:${freePort()}/in`;
      await Deno.writeTextFile(`${folder}/.env`, `${target}\n`);
      const [run, ...args] = await doctorArguments();
      const line = [run!, `--env-file=${folder}/.env`, ...args, "--no-send"];
      match((await runDeno(line, { cwd: folder })).out, says);
    }
  }));
