/** @module The first minutes of a service that was stopped for 100 days: all of its leads have expired. */

import { ok, strictEqual as equal } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { fill, LEADS as leads, postDuring } from "../../support/many_leads.ts";
import { startReceiver } from "../../support/receiver.ts";
import { startService, withFolder } from "../../support/service.ts";
import { pause } from "../../support/until.ts";

const MOST_START_MS = 3_000;
const MOST_WAIT_MS = 1_000;
const MOST_LOG_MB = 64;
const WATCHED_MS = 20_000;

Deno.test(`a start after 100 days, with ${leads} expired leads, is quick and delays no lead`, () =>
  withFolder(async (folder) => {
    await using receiver = startReceiver();
    const file = `${folder}/.data/frontdoor.sqlite`;
    await fill(file, { leads, daysAgo: 100 });
    const began = performance.now();
    const service = await startService(folder, {
      LEAD_TARGETS: `crm=${receiver.url}`,
      TRUSTED_PROXY_HOPS: "1",
    });
    const startMs = Math.round(performance.now() - began);
    let logMB = 0;
    async function watch(): Promise<void> {
      for (const until = performance.now() + WATCHED_MS; performance.now() < until;) {
        const { size } = await Deno.stat(`${file}-wal`);
        logMB = Math.max(logMB, Math.round(size / 1e6));
        await pause(100);
      }
    }
    const waits = await postDuring(service.port, watch());
    equal(await service.end(), 0);
    using db = new DatabaseSync(file);
    const rows = db.prepare("SELECT count(*) AS rows FROM kv").get()?.["rows"];
    // deno-lint-ignore no-console -- figures to compare between nights
    console.table([{ leads, startMs, ...waits, logMB, rows }]);
    equal(String(Object.keys(waits.answers)), "200");
    ok(startMs <= MOST_START_MS, `started after ${startMs} ms`);
    ok(waits.longestMs <= MOST_WAIT_MS, `a lead waited for ${waits.longestMs} ms`);
    ok(logMB <= MOST_LOG_MB, `a log of ${logMB} MB`);
  }));
