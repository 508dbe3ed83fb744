/** @module Leads of one client while another process holds the lock of the database's file. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { postLead } from "../../support/post_lead.ts";
import { withRunningService } from "../../support/service.ts";
import { LEAD } from "../../support/test_app.ts";

const LEADS = 6;

/** Storing, one look-up, and what a busy machine adds: the client waits for 30 s. */
const LONGEST_MS = 20_000;

Deno.test("leads of one client do not wait for KV one after the other: each has its answer in time", () =>
  withRunningService(async ({ url, folder }) => {
    async function send(n: number): Promise<number> {
      const response = await postLead(url, { ...LEAD, company: `Company ${n}` });
      await response.body?.cancel();
      return response.status;
    }
    equal(await send(0), 200);
    const db = new DatabaseSync(`${folder}/.data/frontdoor.sqlite`);
    db.exec("BEGIN IMMEDIATE");
    const began = performance.now();
    const statuses = await Promise.all(Array.from({ length: LEADS }, (_, n) => send(n + 1)));
    const ms = performance.now() - began;
    db.exec("ROLLBACK");
    db.close();
    deepEqual(statuses, Array(LEADS).fill(502));
    ok(ms < LONGEST_MS, `the last one waited ${ms} ms`);
    equal(await send(LEADS + 1), 200);
  }));
