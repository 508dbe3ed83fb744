/** @module `deno task doctor` and `deno task leads` as processes, with exactly the permissions of their tasks. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { runDeno } from "../support/command.ts";
import { withReceiver } from "../support/receiver.ts";
import { freePort, startService, withFolder, withRunningService } from "../support/service.ts";
import { runLeads as leads, startLeads, taskFlags } from "../support/start_task.ts";
import { postLead } from "../support/post_lead.ts";
import { until } from "../support/until.ts";

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

Deno.test("leads from before LEAD_TARGETS are watched, sent and delivered", () =>
  withReceiver((receiver) =>
    withFolder(async (folder) => {
      const service = await startService(folder);
      const watch = await startLeads(["list", "--watch"], { folder });
      await until("the watch has begun", () => watch.output().startsWith("ID "), 20_000);
      await (await postLead(service.url)).body?.cancel();
      await until("the lead is shown", () => / stored .* ada@/.test(watch.output()), 20_000);
      equal(await watch.end("SIGINT"), 0);
      const stats = await leads(["stats"], { folder });
      match(stats.out, /\n1 lead is stored and goes nowhere: deno task leads send --stored\n$/);

      const env = { LEAD_TARGETS: `crm=${receiver.url}` };
      const sent = await leads(["send", "--stored"], { folder, env });
      deepEqual([sent.code, sent.err], [0, ""]);
      match(sent.out, /^Due now: 1 delivery\. .*\n {2}crm {2}1\n$/);
      await service.end();

      const restarted = await startService(folder, env);
      await receiver.arrived(1, 20_000);
      await restarted.end();
      const found = await leads(["find", "ADA@example.com", "--json"], { folder });
      const [{ deliveries }] = JSON.parse(found.out).leads;
      deepEqual([deliveries.crm.state, deliveries.crm.attempts.length], ["delivered", 1]);
      equal(receiver.received.length, 1);
    })
  ));

const WITHOUT_KV: readonly (readonly [string, Record<string, string>, code: number, RegExp])[] = [
  ["list", {}, 1, /^Cannot open KV at \.data\/frontdoor\.sqlite .*: it does not exist; start the/],
  ["list", { KV_PATH: ":memory:" }, 1, /it is in the memory of the service's process/],
  ["list", { KV_PATH: "/nowhere/x" }, 1, /--allow-read/],
  ["list", { LEAD_TARGETS: "crm" }, 2, /LEAD_TARGETS entry 1 must/],
  ["list", { LEAD_ENCRYPTION_KEYS: "secret" }, 2, /LEAD_ENCRYPTION_KEYS entry 1 must be/],
];

Deno.test("leads creates no database, and its exit code distinguishes errors", () =>
  withFolder(async (folder) => {
    for (const [words, env, code, error] of WITHOUT_KV) {
      const ended = await leads(words.split(" "), { folder, env });
      equal(ended.code, code, ended.err);
      match(ended.err, error);
      ok(!/ {4}at |secret/.test(ended.err));
    }
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  }));
