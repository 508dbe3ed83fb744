/**
 * @module The doctor and databases: files, memory, and what is neither; sealed ones, and queues without
 * a target. `tests/cluster/doctor.ts` has a KV server.
 */

import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { keys } from "../../../leads/kv/keys.ts";
import type { KvAccess } from "../../../leads/kv/guard.ts";
import { createKvStore } from "../../../leads/kv/store.ts";
import { Sealer } from "../../../leads/sealing.ts";
import { doctor, findingsOf, type Variables } from "../../support/patient.ts";
import { withFolder } from "../../support/service.ts";

async function examine(check: string, variables: Variables): Promise<string[]> {
  const found = await findingsOf(check, variables);
  return found.map(({ state, message }) => `${state}: ${message}`);
}

Deno.test("a file is written, found by another connection, and left as it was", () =>
  withFolder(async (folder) => {
    const KV_PATH = `${folder}/kv.sqlite`;
    match((await examine("kv", { KV_PATH }))[0]!, /^ok: .*: does not exist yet; the service/);
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
    using service = await Deno.openKv(KV_PATH);
    await service.set(["lead"], 1);
    const [line] = await examine("kv", { KV_PATH });
    match(line!, /^ok: .*kv\.sqlite: written in \d+ ms, found by another connection$/);
    const held = await Array.fromAsync(service.list({ prefix: [] }), ({ key }) => key);
    deepEqual(held, [["lead"]]);
  }));

Deno.test("what does not last or cannot be opened fails, without a word of Deno's", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/text`, "this is not a database, but long enough");
    const failures = [
      [":memory:", ":memory: does not last: what one connection writes, another does not find"],
      [`${folder}/text`, `Cannot use KV at ${folder}/text: the file is not a database`],
      [
        folder,
        `Cannot use KV at ${folder}: the file or its folder cannot be opened for writing`,
      ],
    ] as const;
    for (const [KV_PATH, message] of failures) {
      deepEqual(await examine("kv", { KV_PATH }), [`fail: ${message}`]);
    }
    const openKv = (): Promise<KvAccess> => Promise.reject(new Error("secret words"));
    const { out } = await doctor([], { KV_PATH: "http://kv.example" }, openKv);
    match(out, /^FAIL {2}kv: Cannot use KV at http:\/\/kv\.example: Error\. Correct KV_PATH/m);
  }));

Deno.test("a database whose sealing key is missing fails and names the key", () =>
  withFolder(async (folder) => {
    const KV_PATH = `${folder}/kv.sqlite`;
    const variable = (id: string, fill: number) =>
      `${id}:${btoa(String.fromCharCode(fill).repeat(32))}`;
    using kv = await Deno.openKv(KV_PATH);
    await createKvStore({
      open: () => Promise.resolve(kv),
      now: Date.now,
      sealer: new Sealer([{ id: "2026", key: new Uint8Array(32).fill(7) }]),
      retentionMs: Infinity,
    }).secret();
    const lacks = "fail: Cannot open what is sealed: LEAD_ENCRYPTION_KEYS has no 2026";
    for (
      const [LEAD_ENCRYPTION_KEYS, found] of [
        [variable("2027", 1), [lacks]],
        [variable("2026", 1), [
          "fail: Cannot open what is sealed: the bytes or the key are not the right ones",
        ]],
        [`${variable("2027", 1)} ${variable("2026", 7)}`, []],
      ] as const
    ) deepEqual(await examine("sealing", { KV_PATH, LEAD_ENCRYPTION_KEYS }), found);
  }));

Deno.test("each target that leads wait for and LEAD_TARGETS does not name has a warning", () =>
  withFolder(async (folder) => {
    const KV_PATH = `${folder}/kv.sqlite`;
    using kv = await Deno.openKv(KV_PATH);
    deepEqual(await examine("queue", { KV_PATH }), []);
    const [target] = await findingsOf("webhook", { KV_PATH, LEAD_TARGETS: "http://127.0.0.1:1" });
    const gone = ["a", "webhook:gone.example:1a2b3c4d"];
    for (const id of [...gone, target!.check]) await kv.set(keys.due(id, 0, "id"), null);
    deepEqual(
      await examine("queue", { KV_PATH, LEAD_TARGETS: "http://127.0.0.1:1" }),
      gone.map((id) =>
        `warn: leads wait for ${id}, which LEAD_TARGETS does not name: they are not tried`
      ),
    );
  }));
