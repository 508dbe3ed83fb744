/** @module The doctor's database checks. `tests/nightly/cluster/deploy.ts` checks a KV server. */

import {
  deepStrictEqual as deepEqual,
  doesNotMatch,
  match,
  ok,
  strictEqual as equal,
} from "node:assert/strict";
import type { KvAccess } from "../../../leads/kv/guard.ts";
import { keys } from "../../../leads/kv/keys.ts";
import { createKvStore } from "../../../leads/kv/create.ts";
import { Sealer } from "../../../leads/sealing.ts";
import { doctor, findingsOf, type Variables } from "../../support/doctor.ts";
import { withDamagedKv } from "../../support/damaged_kv.ts";
import { putLead } from "../../support/delivering.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { kvWith, storeOn } from "../../support/kv_with.ts";
import { withFolder } from "../../support/service.ts";

async function examine(check: string, variables: Variables): Promise<string[]> {
  const found = await findingsOf(check, variables);
  return found.map(({ state, message }) => `${state}: ${message}`);
}

Deno.test("the commit leaves a file unchanged, and creates none", () =>
  withFolder(async (folder) => {
    const KV_PATH = `${folder}/kv.sqlite`;
    match((await examine("kv", { KV_PATH }))[0]!, /^ok: .*: does not exist yet; the service/);
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
    using service = await Deno.openKv(KV_PATH);
    await service.set(["lead"], 1);
    match((await examine("kv", { KV_PATH }))[0]!, /^ok: .*kv\.sqlite: commits in \d+ ms$/);
    const stored = await Array.fromAsync(service.list({ prefix: [] }), ({ key }) => key);
    deepEqual(stored, [["lead"]]);
  }));

Deno.test("a database that is not durable or cannot be opened fails, without Deno's message", () =>
  withFolder(async (folder) => {
    const memory = await examine("kv", { KV_PATH: ":memory:" });
    deepEqual(memory, ["fail: leads in memory are gone with the process"]);
    using kv = await Deno.openKv(":memory:");
    const fails = (error: Error) => () => Promise.reject(error);
    const failing = (text: string) => () =>
      Promise.resolve(kvWith(kv, { commit: fails(new Error(text)) }));
    const remote = fails(new Error("secret words"));
    const refused = fails(new Deno.errors.NotCapable("secret words"));
    const opening: readonly (readonly [string, (() => Promise<KvAccess>) | undefined, string])[] = [
      [folder, undefined, "it is a folder, or it or its folder cannot be opened for writing. Set"],
      ["http://kv.example", remote, "Error. Correct KV_PATH and DENO_KV_ACCESS_TOKEN;"],
      [
        folder,
        refused,
        "NotCapable. Run the commands of deno.json with --allow-read and --allow-write",
      ],
      [
        folder,
        failing("attempt to write a readonly database"),
        "the file is read-only. Set KV_PATH",
      ],
      [folder, failing("database or disk is full"), "the disk is full. Free space on the disk,"],
      [folder, failing("database disk image is malformed"), "the database is damaged. Restore a"],
    ];
    for (const [KV_PATH, open, state] of opening) {
      const { out } = await doctor([], { KV_PATH }, open);
      ok(out.includes(`FAIL  kv: Cannot use KV at ${KV_PATH}: ${state} `), out);
      doesNotMatch(out, /secret/);
    }
  }));

Deno.test("a database without its sealing key fails and names the key", () =>
  withFolder(async (folder) => {
    const KV_PATH = `${folder}/kv.sqlite`;
    const key = new Uint8Array(32).fill(7);
    const other = new Uint8Array(32).toBase64();
    using kv = await Deno.openKv(KV_PATH);
    const open = () => Promise.resolve(kv);
    const sealer = new Sealer([{ id: "2026", key }]);
    await createKvStore({ open, now: Date.now, sealer, retentionMs: Infinity }).secret();
    const cannot = "fail: Cannot open what is sealed:";
    for (
      const [LEAD_ENCRYPTION_KEYS, found] of [
        [`2027:${other}`, [`${cannot} LEAD_ENCRYPTION_KEYS has no 2026`]],
        [`2026:${other}`, [`${cannot} the bytes or the key are not the right ones`]],
        [`2027:${other} 2026:${key.toBase64()}`, []],
      ] as const
    ) deepEqual(await examine("sealing", { KV_PATH, LEAD_ENCRYPTION_KEYS }), found);
  }));

Deno.test("leads that came without a target, or whose target is gone, are counted with the command for them", () =>
  withFolder(async (folder) => {
    const KV_PATH = `${folder}/kv.sqlite`;
    const LEAD_TARGETS = "crm=http://127.0.0.1:2";
    const found = async (variables: Variables) =>
      (await findingsOf("leads", { KV_PATH, ...variables })).map(({ state, message, fix }) =>
        `${state}: ${message}. ${fix}`
      );
    using kv = await Deno.openKv(KV_PATH);
    await kv.set(keys.due("crm", 0, "a"), null);
    deepEqual(await found({ LEAD_TARGETS }), []);
    await kv.set(keys.stored("b"), null);
    await kv.set(keys.due("old.example", 0, "c"), null);
    deepEqual(await found({ LEAD_TARGETS }), [
      "warn: 1 lead is stored and goes nowhere. Run deno task leads send --stored.",
      "warn: 1 lead waits for old.example, which is not in LEAD_TARGETS. " +
      "Run deno task leads send --from old.example.",
    ]);
    await kv.set(keys.stored("d"), null);
    await kv.set(keys.due("old.example", 1, "e"), null);
    const [stored, crm, old] = await found({});
    match(stored!, /: 2 leads are stored and go nowhere\. Set LEAD_TARGETS, then .* --stored\.$/);
    match(crm!, /: 1 lead waits for crm, /);
    match(old!, /: 2 leads wait for old\.example, .* Set LEAD_TARGETS, then run .* --from old\.ex/);
  }));

Deno.test("leads that cannot be read are named, with the reason", () =>
  withDamagedKv(async ({ kv, file, damage }) => {
    const store = storeOn(kv, { now: Date.now });
    const clock = new FakeClock();
    const receivedAt = Date.now();
    const { id } = await putLead({ store, clock }, { receivedAt });
    await putLead({ store, clock }, { receivedAt });
    damage(keys.lead(id));
    const [found, ...others] = await findingsOf("leads", { KV_PATH: file });
    equal(found?.message, `Cannot read lead ${id} (its bytes are damaged)`);
    deepEqual(others.map(({ message }) => message), ["2 leads are stored and go nowhere"]);
  }));
