/**
 * @module The doctor and KV over the network: a real denokv, and what goes wrong on the way to it.
 *
 * Run by `deno task test:cluster`; the name ends without `_test` because `deno task test` must not
 * need denokv.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import type { Finding } from "../../cli/doctor/finding.ts";
import { runDeno } from "../support/command.ts";
import { withDenokv } from "../support/denokv.ts";
import { KvProxy } from "../support/kv_proxy.ts";
import { findingsOf } from "../support/patient.ts";

const TOKEN = "DENO_KV_ACCESS_TOKEN";

/** What is found of KV, with another token in the environment, or none. */
async function examine(url: string, token = Deno.env.get(TOKEN)): Promise<string> {
  const before = Deno.env.get(TOKEN);
  if (token === undefined || token === "") Deno.env.delete(TOKEN);
  else Deno.env.set(TOKEN, token);
  try {
    const [finding] = await findingsOf("kv", { KV_PATH: url });
    return `${finding!.state}: ${finding!.message}`;
  } finally {
    if (before === undefined) Deno.env.delete(TOKEN);
    else Deno.env.set(TOKEN, before);
  }
}

Deno.test("denokv is written, found by another connection, and left empty", () =>
  withDenokv(async ({ url }) => {
    match(
      await examine(url),
      /^ok: http:\/\/127\.0\.0\.1:\d+: written in .*, found by another connection$/,
    );
    using database = await Deno.openKv(url);
    deepEqual(await Array.fromAsync(database.list({ prefix: [] })), []);
  }));

Deno.test("a token that is wrong or missing is told as that", () =>
  withDenokv(async ({ url }) => {
    match(await examine(url, "another-token-of-12"), /^fail: .* refuses DENO_KV_ACCESS_TOKEN/);
    match(await examine(url, ""), /^fail: .* DENO_KV_ACCESS_TOKEN is not set$/);
    match(await examine(url), /^ok: /);
  }));

/** As a process: Deno's KV client goes on trying for as long as its process lives. */
async function findingOfProcess(KV_PATH: string, env: Readonly<Record<string, string>>) {
  const program = new URL("../../cli/doctor.ts", import.meta.url).pathname;
  const { out } = await runDeno(["run", "--allow-all", program, "--json"], {
    env: { ...env, KV_PATH },
  });
  const findings: Finding[] = JSON.parse(out).findings;
  return findings.find(({ check }) => check === "kv")!;
}

/** What happens to which calls. */
const LOST = [
  ["hang", "metadata"],
  ["hang", "read"],
  ["hang", "commit"],
  ["lose", "commit"],
] as const;

for (const [fault, call] of LOST) {
  Deno.test(`a KV server that will ${fault} every ${call} is given up in time`, () =>
    withDenokv(async ({ url, env }) => {
      const proxy = new KvProxy(url);
      try {
        proxy.fail(fault, { calls: [call] });
        const began = performance.now();
        const { state, message } = await findingOfProcess(proxy.url, env);
        equal(
          `${state}: ${message}`,
          `fail: Cannot use KV at ${proxy.url}: no answer within 5000 ms`,
        );
        ok(performance.now() - began < 15_000);
      } finally {
        await proxy.end();
      }
    }));
}
