/** @module The service with a remote database as on Deno Deploy, branch timelines, keys, the doctor. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { runDeno } from "../../support/command.ts";
import { startDenokv } from "../../support/denokv.ts";
import { KvProxy } from "../../support/kv_proxy.ts";
import { postLead } from "../../support/post_lead.ts";
import { startReceiver } from "../../support/receiver.ts";
import { startService, withFolder } from "../../support/service.ts";
import { LEAD } from "../../support/test_app.ts";
import { pause } from "../../support/until.ts";

const STORED = { ok: true, delivered: false };

async function post(url: string, company: string = LEAD.company): Promise<unknown> {
  return await (await postLead(url, { ...LEAD, company })).json();
}

Deno.test("leads are stored in the assigned database", async () => {
  await using denokv = await startDenokv();
  await withFolder(async (folder) => {
    const assigned = { DENO_KV_PATH_PREFIX: denokv.url, DENO_KV_DEFAULT_PATH: "/" };
    const env = { DENO_DEPLOY: "true", ...denokv.env, ...assigned };
    const service = await startService(folder, env);
    deepEqual(await post(service.url), STORED);
    equal(await service.end(), 0);
    using kv = await Deno.openKv(denokv.url);
    const leads = await Array.fromAsync(kv.list({ prefix: ["frontdoor1", "lead"] }));
    equal(leads.length, 1);
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), [], "no file was created");
  });
});

Deno.test("a branch timeline delivers neither its own leads nor those of another timeline", async () => {
  await using denokv = await startDenokv();
  await using receiver = startReceiver(() => new Response(null, { status: 503 }));
  await withFolder(async (folder) => {
    const platform = { DENO_DEPLOY: "true", DENO_KV_DEFAULT_PATH: denokv.url };
    const env = { ...platform, ...denokv.env, LEAD_TARGETS: receiver.url };
    const production = await startService(folder, { ...env, DENO_TIMELINE: "production" });
    deepEqual(await post(production.url, "A"), STORED);
    equal(await production.end(), 0);
    const tried = receiver.received.length;
    ok(tried > 0);

    const branch = await startService(folder, { ...env, DENO_TIMELINE: "git-branch/x" });
    deepEqual(await post(branch.url, "B"), STORED);
    await pause(7_000); // longer than the first retry takes
    equal(await branch.end(), 0);
    match(branch.output(), /leads go to {3}nowhere/);
    equal(receiver.received.length, tried);

    const again = await startService(folder, { ...env, DENO_TIMELINE: "production" });
    deepEqual(await post(again.url, "B"), STORED, "the same lead, without a delivery");
    equal(await again.end(), 0);
    const companies = receiver.received.map(({ body }) => JSON.parse(body).data.company);
    equal(companies.includes("B"), false, "the leads of a branch stay undelivered");
  });
});

const PROGRAM = new URL("../../../cli/doctor.ts", import.meta.url).pathname;

async function findingOf(KV_PATH: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { out } = await runDeno(["run", "-A", PROGRAM, "--json"], { env: { ...env, KV_PATH } });
  const findings: Record<string, string>[] = JSON.parse(out).findings;
  const { state, message } = findings.find(({ check }) => check === "kv")!;
  return `${state}: ${message}`;
}

const FAULTS = ["hang metadata", "hang read", "hang commit", "lose commit"];

Deno.test("a KV server that does not respond fails in time", async () => {
  await using denokv = await startDenokv();
  await Promise.all(FAULTS.map(async (name) => {
    const [fault, call] = name.split(" ") as ["hang", "read"];
    await using proxy = new KvProxy(denokv.url);
    proxy.fail(fault, { calls: [call] });
    const began = performance.now();
    const finding = await findingOf(proxy.url, denokv.env);
    ok(performance.now() - began < 20_000, `${fault} ${call}`);
    match(finding, /^fail: Cannot use KV at http:.*: no answer within \d+ ms$/);
  }));
});
