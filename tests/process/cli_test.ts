/** @module `deno task leads` as a process with its own permissions, beside a running service. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { runLeads as leads, startLeads } from "../support/start_task.ts";
import { postLead } from "../support/post_lead.ts";
import { withReceiver } from "../support/receiver.ts";
import { startService, withFolder } from "../support/service.ts";
import { until } from "../support/until.ts";

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
