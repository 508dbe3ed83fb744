/** @module The doctor's database checks. `tests/cluster/doctor.ts` checks a KV server. */

import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { keys } from "../../../leads/kv/keys.ts";
import { createKvStore } from "../../../leads/kv/store.ts";
import { Sealer } from "../../../leads/sealing.ts";
import { doctor, findingsOf, type Variables } from "../../support/doctor.ts";
import { withFolder } from "../../support/service.ts";

async function examine(check: string, variables: Variables): Promise<string[]> {
  const found = await findingsOf(check, variables);
  return found.map(({ state, message }) => `${state}: ${message}`);
}

Deno.test("the round trip through a file leaves it unchanged, and creates none", () =>
  withFolder(async (folder) => {
    const KV_PATH = `${folder}/kv.sqlite`;
    match((await examine("kv", { KV_PATH }))[0]!, /^ok: .*: does not exist yet; the service/);
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
    using service = await Deno.openKv(KV_PATH);
    await service.set(["lead"], 1);
    const [line] = await examine("kv", { KV_PATH });
    match(line!, /^ok: .*kv\.sqlite: written in \d+ ms, found by another connection$/);
    const stored = await Array.fromAsync(service.list({ prefix: [] }), ({ key }) => key);
    deepEqual(stored, [["lead"]]);
  }));

Deno.test("a database that is not durable or cannot be opened fails, without Deno's message", () =>
  withFolder(async (folder) => {
    for (
      const [KV_PATH, message] of [
        [":memory:", ":memory: is not durable: another connection does not find what was written"],
        [folder, `Cannot use KV at ${folder}: the file or its folder cannot be opened for writing`],
      ] as const
    ) deepEqual(await examine("kv", { KV_PATH }), [`fail: ${message}`]);
    const openKv = () => Promise.reject(new Error("secret words"));
    const { out } = await doctor([], { KV_PATH: "http://kv.example" }, openKv);
    match(out, /^FAIL {2}kv: Cannot use KV at http:\/\/kv\.example: Error\. Correct KV_PATH/m);
  }));

Deno.test("a database without its sealing key fails and names the key", () =>
  withFolder(async (folder) => {
    const KV_PATH = `${folder}/kv.sqlite`;
    const variable = (id: string, byte: number) =>
      `${id}:${new Uint8Array(32).fill(byte).toBase64()}`;
    using kv = await Deno.openKv(KV_PATH);
    await createKvStore({
      open: () => Promise.resolve(kv),
      now: Date.now,
      sealer: new Sealer([{ id: "2026", key: new Uint8Array(32).fill(7) }]),
      retentionMs: Infinity,
    }).secret();
    const cannot = "fail: Cannot open what is sealed:";
    for (
      const [LEAD_ENCRYPTION_KEYS, found] of [
        [variable("2027", 1), [`${cannot} LEAD_ENCRYPTION_KEYS has no 2026`]],
        [variable("2026", 1), [`${cannot} the bytes or the key are not the right ones`]],
        [`${variable("2027", 1)} ${variable("2026", 7)}`, []],
      ] as const
    ) deepEqual(await examine("sealing", { KV_PATH, LEAD_ENCRYPTION_KEYS }), found);
  }));

Deno.test("each queue whose target is not in LEAD_TARGETS gets a warning", () =>
  withFolder(async (folder) => {
    const KV_PATH = `${folder}/kv.sqlite`;
    const LEAD_TARGETS = "http://127.0.0.1:2";
    using kv = await Deno.openKv(KV_PATH);
    deepEqual(await examine("queue", { KV_PATH }), []);
    const orphaned = ["a", "webhook:gone.example:1a2b3c4d"];
    for (const id of [...orphaned, "127.0.0.1:2"]) await kv.set(keys.due(id, 0, "id"), null);
    deepEqual(
      await examine("queue", { KV_PATH, LEAD_TARGETS }),
      orphaned.map((id) =>
        `warn: leads are queued for ${id}, which is not in LEAD_TARGETS: they are not sent`
      ),
    );
  }));
