/**
 * @module The doctor with a denokv that works or fails. As a process, because Deno's KV client retries as long
 * as its process lives.
 * Run by `deno task test:cluster`.
 */

import { deepStrictEqual as deepEqual, match, ok } from "node:assert/strict";
import { runDeno } from "../support/command.ts";
import { startDenokv } from "../support/denokv.ts";
import { KvProxy } from "../support/kv_proxy.ts";

const PROGRAM = new URL("../../cli/doctor.ts", import.meta.url).pathname;

async function findingOf(KV_PATH: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { out } = await runDeno(["run", "--allow-all", PROGRAM, "--json"], {
    env: { ...env, KV_PATH },
  });
  const findings: Record<string, string>[] = JSON.parse(out).findings;
  const { state, message } = findings.find(({ check }) => check === "kv")!;
  return `${state}: ${message}`;
}

Deno.test("the commit leaves denokv empty", async () => {
  await using denokv = await startDenokv();
  const { url, env } = denokv;
  match(
    await findingOf(url, env),
    /^ok: http:\/\/127\.0\.0\.1:\d+: commits in \d+ ms$/,
  );
  using database = await Deno.openKv(url);
  deepEqual(await Array.fromAsync(database.list({ prefix: [] })), []);
  match(
    await findingOf(url, { DENO_KV_ACCESS_TOKEN: "another-token-of-12" }),
    /^fail: .*DENO_KV_ACCESS_TOKEN|^fail: .*token/,
  );
});

const FAULTS = [
  ["hang", "metadata"],
  ["hang", "read"],
  ["hang", "commit"],
  ["lose", "commit"],
] as const;

Deno.test("a KV server that does not respond fails in time", async () => {
  await using denokv = await startDenokv();
  await Promise.all(FAULTS.map(async ([fault, call]) => {
    await using proxy = new KvProxy(denokv.url);
    proxy.fail(fault, { calls: [call] });
    const began = performance.now();
    const finding = await findingOf(proxy.url, denokv.env);
    ok(performance.now() - began < 20_000, `${fault} ${call}`);
    match(finding, /^fail: Cannot use KV at http:.*: no answer within \d+ ms$/);
  }));
});
