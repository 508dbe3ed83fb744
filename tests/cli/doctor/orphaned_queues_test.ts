/** @module The doctor and databases that do not go with the settings: a key, a target that is gone. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { sealing } from "../../../cli/doctor/sealing.ts";
import { orphanedQueues } from "../../../cli/doctor/orphaned_queues.ts";
import { keys } from "../../../leads/kv/keys.ts";
import { createKvStore } from "../../../leads/kv/store.ts";
import { Sealer } from "../../../leads/sealing.ts";
import type { SealingKey } from "../../../schemas/values.ts";
import { linesOf, patient } from "../../support/patient.ts";
import { withFolder } from "../../support/service.ts";

const KEY: SealingKey = { id: "2026", key: new Uint8Array(32).fill(7) };

function variable({ id, key }: SealingKey): string {
  return `${id}:${key.toBase64()}`;
}

/** Runs a test with a database that a service has used, and what of it there is before and after. */
function withUsed(
  used: (kv: Deno.Kv) => Promise<unknown>,
  test: (KV_PATH: string) => Promise<void>,
): Promise<void> {
  return withFolder(async (folder) => {
    const path = `${folder}/kv.sqlite`;
    const kv = await Deno.openKv(path);
    try {
      await used(kv);
      const before = await Array.fromAsync(kv.list({ prefix: [] }));
      await test(path);
      deepEqual(await Array.fromAsync(kv.list({ prefix: [] })), before, "nothing is written");
    } finally {
      kv.close();
    }
  });
}

function usedWith(sealingKeys: readonly SealingKey[]): (kv: Deno.Kv) => Promise<unknown> {
  return (kv) =>
    createKvStore({
      open: () => Promise.resolve(kv),
      now: Date.now,
      sealer: new Sealer(sealingKeys),
      retentionMs: Infinity,
    }).secret();
}

Deno.test("a database sealed with a key that is not given is a failure that names the key", () =>
  withUsed(usedWith([KEY]), async (KV_PATH) => {
    const lacks = [
      'fail sealing: LEAD_ENCRYPTION_KEYS lacks the key "2026" with which the database is sealed',
    ];
    deepEqual(await linesOf(sealing, patient({ KV_PATH })), lacks);
    const other = variable({ ...KEY, id: "2027" });
    deepEqual(await linesOf(sealing, patient({ KV_PATH, LEAD_ENCRYPTION_KEYS: other })), lacks);
    const wrong = variable({ ...KEY, key: new Uint8Array(32) });
    deepEqual(await linesOf(sealing, patient({ KV_PATH, LEAD_ENCRYPTION_KEYS: wrong })), [
      'fail sealing: the key "2026" of LEAD_ENCRYPTION_KEYS does not open the database, ' +
      "which is sealed with one of that name",
    ]);
    const both = `${other} ${variable(KEY)}`;
    deepEqual(await linesOf(sealing, patient({ KV_PATH, LEAD_ENCRYPTION_KEYS: both })), [
      "ok sealing: what people write is sealed in the database",
    ]);
  }));

Deno.test("a database that is not sealed, or not used yet, is told by the settings", async () => {
  const open = ["warn sealing: what people write lies open in the database"];
  for (const used of [usedWith([]), () => Promise.resolve()]) {
    await withUsed(used, async (KV_PATH) => {
      deepEqual(await linesOf(sealing, patient({ KV_PATH })), open);
    });
  }
});

Deno.test("each target that leads wait for and LEAD_TARGETS does not name has a warning", () =>
  withUsed(async (kv) => {
    for (const target of ["a", "a:b", "webhook:gone.example:1a2b3c4d"]) {
      for (let n = 0; n < 3; n++) await kv.set(keys.due(target, n, `id-${n}`), null);
    }
  }, async (KV_PATH) => {
    const said = (target: string) =>
      `warn queue: leads wait for ${target}, which LEAD_TARGETS does not name: nobody tries them`;
    deepEqual(
      await linesOf(orphanedQueues, patient({ KV_PATH, LEAD_TARGETS: "https://crm.example/new" })),
      ["a", "a:b", "webhook:gone.example:1a2b3c4d"].map(said),
    );
  }));

Deno.test("where no lead waits, or there is no database yet, the queue has no line", async () => {
  await withUsed(() => Promise.resolve(), async (KV_PATH) => {
    deepEqual(await linesOf(orphanedQueues, patient({ KV_PATH })), []);
    deepEqual(await linesOf(orphanedQueues, patient({ KV_PATH: `${KV_PATH}.none` })), []);
  });
});
