/** @module How long a lead waits for a rewrite of the file, an erasure, and one that is killed. --leads */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { keys } from "../../../leads/kv/keys.ts";
import { fill, LEADS as leads, postDuring, type Waits } from "../../support/many_leads.ts";
import { startReceiver } from "../../support/receiver.ts";
import { startService, withFolder } from "../../support/service.ts";
import { startLeads } from "../../support/start_task.ts";
import { pause, until } from "../../support/until.ts";

/** A person's leads, one in a thousand. */
const EMAIL = "erika.unverwechselbar@example.com";
const PERSON = { email: EMAIL, message: "A message that shall not be found again" };
const SHARE = 1_000;

const MOST_MS = 1_000;
const KILLS = 4;

async function remains(folder: string): Promise<string[]> {
  const decoder = new TextDecoder("latin1");
  let text = "";
  const found = new Set<string>();
  for await (const { name } of Deno.readDir(`${folder}/.data`)) {
    using file = await Deno.open(`${folder}/.data/${name}`);
    for await (const chunk of file.readable) {
      text = text.slice(-100) + decoder.decode(chunk);
      for (const word of Object.values(PERSON)) if (text.includes(word)) found.add(word);
    }
  }
  return [...found];
}

Deno.test(`no lead waits for a second while a file of ${leads} leads is rewritten`, () =>
  withFolder(async (folder) => {
    await using receiver = startReceiver();
    const file = `${folder}/.data/frontdoor.sqlite`;
    await fill(file, { leads, content: (n) => n % SHARE === 0 ? PERSON : {} });
    {
      using kv = await Deno.openKv(file);
      await kv.set(keys.rewrite(), Date.now() - 1);
    }
    const service = await startService(folder, {
      LEAD_TARGETS: `crm=${receiver.url}`,
      TRUSTED_PROXY_HOPS: "1",
    }, { withinMs: 900_000 });
    const table: (Waits & { readonly during: string; readonly seconds: number })[] = [];
    async function during(what: string, work: () => Promise<unknown>): Promise<void> {
      const began = performance.now();
      const waits = await postDuring(service.port, work());
      table.push({
        during: what,
        ...waits,
        seconds: Math.round((performance.now() - began) / 1_000),
      });
    }
    await during(
      "the daily rewrite",
      () =>
        until("it is rewritten", () => service.output().includes("leads.file_rewritten"), 300_000),
    );
    await during("erase", async () => {
      const erase = await startLeads(["erase", EMAIL, "--yes"], { folder });
      equal(await erase.finished, 0, erase.output());
      ok(erase.output().startsWith(`${leads / SHARE} leads of `), erase.output());
    });
    deepEqual(await remains(folder), []);

    const seconds = table.at(-1)!.seconds;
    await during(`${KILLS} kills of purge`, async () => {
      for (let n = 1; n <= KILLS; n++) {
        const purge = await startLeads(["purge"], { folder });
        await pause(1_000 * seconds * n / (KILLS + 1));
        await purge.end("SIGKILL");
      }
    });
    await during("purge after them", async () => {
      const purge = await startLeads(["purge"], { folder });
      equal(await purge.finished, 0, purge.output());
    });
    equal(await service.end(), 0);
    // deno-lint-ignore no-console -- figures to compare between nights
    console.table(table);
    ok(!service.output().includes("kv.failed"), "KV took every lead");
    deepEqual(await remains(folder), []);
    using db = new DatabaseSync(file);
    equal(db.prepare("PRAGMA integrity_check").get()?.["integrity_check"], "ok");
    deepEqual(db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'front%'").all(), []);
    using kv = await Deno.openKv(file);
    const stored = kv.list({ prefix: keys.leads() });
    let count = 0;
    for await (const _ of stored) count++;
    const posted = table.reduce((sum, { answers }) => sum + (answers[200] ?? 0), 0);
    equal(count, leads - leads / SHARE + posted);
    ok(table.every(({ answers }) => String(Object.keys(answers)) === "200"));
    ok(table.every(({ longestMs }) => longestMs <= MOST_MS), `over ${MOST_MS} ms`);
  }));
