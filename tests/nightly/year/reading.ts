/** @module How long an operator waits for counts and for the newest of many leads. */

import { ok, strictEqual as equal } from "node:assert/strict";
import { fill, LEADS as leads } from "../../support/many_leads.ts";
import { figuresOf } from "../../support/process_figures.ts";
import { withFolder } from "../../support/service.ts";
import { runLeads, startInbox } from "../../support/start_task.ts";

const MOST_MS = 1_000;

/** The best counts: other processes may use the machine. */
const TRIES = 3;

/** Command lines, and whether they read no more than they print. */
const COMMANDS: readonly (readonly [words: string, isBounded: boolean])[] = [
  ["stats", true],
  ["list", true],
  ["list --state dead", false],
  ["list --text no-such-text", false],
  ["stats --since 10d", false],
];

Deno.test(`stats and the newest of ${leads} leads are there within a second`, () =>
  withFolder(async (folder) => {
    await fill(`${folder}/.data/frontdoor.sqlite`, { leads });
    const table = [];
    for (const [command, isBounded] of COMMANDS) {
      let ms = Infinity;
      for (let n = 0; n < TRIES; n++) {
        const began = performance.now();
        const { code, out, err } = await runLeads(command.split(" "), { folder });
        ms = Math.min(ms, Math.round(performance.now() - began));
        equal(code, 0, err);
        if (command === "stats") ok(out.startsWith(`leads: ${leads}\n`), out);
      }
      table.push({ command, leads, ms });
      if (isBounded) ok(ms <= MOST_MS, `${command}: ${ms} ms`);
    }
    // deno-lint-ignore no-console -- figures to compare between nights
    console.table(table);
  }));

/** Pages of the inbox, and how long each may take. */
const PAGES: readonly (readonly [path: string, mostMs: number])[] = [
  ["/", 300],
  ["/leads", 300],
  ["/leads?state=dead", 1_000],
];

Deno.test(`the first pages of the inbox are there within 300 ms, with ${leads} leads`, () =>
  withFolder(async (folder) => {
    await fill(`${folder}/.data/frontdoor.sqlite`, { leads });
    await using stack = new AsyncDisposableStack();
    const inbox = await startInbox(folder);
    stack.defer(async () => equal(await inbox.end("SIGINT"), 0));
    const { headers, body } = await fetch(inbox.url, { redirect: "manual" });
    await body?.cancel();
    const cookie = headers.get("set-cookie")!.split(";")[0]!;
    const { origin } = new URL(inbox.url);
    const visit = async (path: string) => {
      const response = await fetch(origin + path, { headers: { cookie } });
      equal(response.status, 200);
      return await response.text();
    };
    for (const [path, mostMs] of PAGES) {
      let ms = Infinity;
      for (let n = 0; n < TRIES; n++) {
        const began = performance.now();
        ok((await visit(path)).includes('href="/leads/'), path);
        ms = Math.min(ms, Math.round(performance.now() - began));
      }
      ok(ms <= mostMs, `${path}: ${ms} ms`);
    }
    const { memory: before } = await figuresOf(inbox.pid);
    for (let n = 0; n < 100; n++) await visit("/leads");
    const grown = (await figuresOf(inbox.pid)).memory - before;
    ok(grown < 60, `${Math.round(grown)} MiB more after a hundred pages`);
  }));
