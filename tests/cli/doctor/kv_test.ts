/** @module The doctor and real databases: files, memory, and what is neither. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { kv } from "../../../cli/doctor/kv.ts";
import type { KvAccess } from "../../../leads/kv/guard.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { linesOf, patient } from "../../support/patient.ts";
import { withFolder } from "../../support/service.ts";
import { until } from "../../support/until.ts";

async function filesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}

Deno.test("a file is written, read, found by another connection, and left as it was", () =>
  withFolder(async (folder) => {
    const path = `${folder}/kv.sqlite`;
    const service = await Deno.openKv(path);
    await service.set(["lead"], 1);
    const [line] = await linesOf(kv, patient({ KV_PATH: path }));
    match(line!, /^ok kv: .*kv\.sqlite: written in [\d.]+ ms, read in [\d.]+ ms, found by another/);
    const keys = (await Array.fromAsync(service.list({ prefix: [] }))).map(({ key }) => key);
    deepEqual(keys, [["lead"]]);
    service.close();
  }));

Deno.test("where there is no file yet, none is left, and no folder either", () =>
  withFolder(async (folder) => {
    for (const path of ["kv.sqlite", "data/kv.sqlite", "some/where/deep/kv.sqlite"]) {
      const [line] = await linesOf(kv, patient({ KV_PATH: `${folder}/${path}` }));
      match(line!, /^ok kv: /);
      deepEqual(await filesIn(folder), []);
    }
  }));

Deno.test("a folder that was there before stays", () =>
  withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/data`);
    match((await linesOf(kv, patient({ KV_PATH: `${folder}/data/kv.sqlite` })))[0]!, /^ok /);
    deepEqual(await filesIn(folder), ["data"]);
    deepEqual(await filesIn(`${folder}/data`), []);
  }));

Deno.test("memory does not last, which shows by trying", async () => {
  const [finding] = await kv.run(patient({ KV_PATH: ":memory:" }));
  equal(finding!.state, "fail");
  match(finding!.message, /what one connection writes, another does not find/);
  match(finding!.fix!, /KV_PATH to a file .* KV Connect URL/);
});

Deno.test("a file that is no database, and a folder, are refused without a word of Deno's", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/text`, "this is not a database, but long enough");
    deepEqual(await linesOf(kv, patient({ KV_PATH: `${folder}/text` })), [
      `fail kv: Cannot use KV at ${folder}/text: the file is not a database`,
    ]);
    deepEqual(await linesOf(kv, patient({ KV_PATH: folder })), [
      `fail kv: Cannot use KV at ${folder}: the file or its folder cannot be opened for writing`,
    ]);
    deepEqual(await linesOf(kv, patient({ KV_PATH: `${folder}/text/kv.sqlite` })), [
      `fail kv: Cannot use KV at ${folder}/text/kv.sqlite: a file is in the place of its folder`,
    ]);
  }));

Deno.test("a database that forgets what it was given is refused", async () => {
  const forgetful = {
    get: (key: readonly unknown[]) => Promise.resolve({ key, value: null, versionstamp: null }),
    atomic() {
      const operation = {
        set: () => operation,
        delete: () => operation,
        commit: () => ({ ok: 1 }),
      };
      return operation;
    },
  } as unknown as KvAccess;
  const openKv = () => Promise.resolve(forgetful);
  const [line] = await linesOf(kv, patient({ KV_PATH: "http://kv.example" }, { openKv }));
  equal(line, "fail kv: http://kv.example does not return what was written");
});

Deno.test("a database that never opens is given up", async () => {
  const clock = new FakeClock();
  const never = new Promise<KvAccess>(() => {});
  const environment = patient({ KV_PATH: "http://kv.example" }, { clock, openKv: () => never });
  const lines = linesOf(kv, environment);
  await until("a deadline is set", () => clock.nextIn !== undefined);
  clock.advance(5_000);
  deepEqual(await lines, ["fail kv: Cannot use KV at http://kv.example: no answer within 5000 ms"]);
});
