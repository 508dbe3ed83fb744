/**
 * @module The operator's program as a process, with exactly the permissions of its task, on the SQLite
 * file of a service that runs.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { runLeads as leads } from "../support/leads_task.ts";
import { postLead } from "../support/post_lead.ts";
import { withReceiver } from "../support/receiver.ts";
import { withFolder, withRunningService } from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";
import { until } from "../support/until.ts";

/** A key for sealing, by its name. */
function key(id: string): string {
  return `${id}:${new Uint8Array(32).fill(id.length).toBase64()}`;
}

Deno.test("the operator lists, shows, counts, exports, retries and erases while the service runs", () =>
  withReceiver(
    (receiver) =>
      withRunningService(async (service) => {
        const { folder } = service;
        const operator = {
          folder,
          env: { LEAD_ENCRYPTION_KEYS: `${key("second")} ${key("one")}` },
        };
        const emails = ["ada@example.com", "grace@example.com", "alan@example.com"];
        for (const email of emails) {
          const response = await postLead(service.url, { ...LEAD, email, message: "=1+1" });
          deepEqual(await response.json(), { ok: true, delivered: email !== emails[0] });
        }

        // What came of the first lead's try is noted after its answer.
        const lines: Record<string, string>[] = [];
        await until("the first lead is dead", async () => {
          const { code, out, err } = await leads(["list", "--json"], operator);
          deepEqual([code, err], [0, ""]);
          lines.splice(0, 3, ...out.trimEnd().split("\n").map((line) => JSON.parse(line)));
          return lines[0]!.state === "dead" && lines[2]!.state === "delivered";
        }, 20_000);
        deepEqual(lines.map(({ email }) => email), emails);
        const table = await leads(["list"], operator);
        match(
          table.out,
          /^ID .*\n\w{8} +\d+ s {2}dead .*\n.*\n\w{8} .* alan@example\.com .*\n3 leads\n$/,
        );

        const { id } = lines[0]!;
        const shown = await leads(["show", id!.slice(-8)], operator);
        ok(shown.out.startsWith(`${id}\n`));
        match(shown.out, /dead after 1 try\n.*\n.* http_410\n/);
        const stats = JSON.parse((await leads(["stats", "--json"], operator)).out);
        deepEqual(stats.states, { waiting: 0, delivered: 2, dead: 1, stored: 0 });
        match((await leads(["stats"], operator)).out, /█/);

        const csv = await leads(["export", "--format", "csv"], operator);
        equal(csv.err, "3 leads exported\n");
        equal(csv.out.split("\r\n").length, 5);
        match(csv.out, new RegExp(`\r\n${id},.*,dead,ada@example\\.com,.*,'=1\\+1,`));

        match((await leads(["retry", "--dead"], operator)).out, /^1 delivery is due now; /);
        equal((await leads(["reseal"], operator)).out, "3 leads of 3 sealed anew\n");
        const sealed = await leads(["list"], { folder, env: { LEAD_ENCRYPTION_KEYS: key("one") } });
        equal(sealed.code, 1);
        match(
          sealed.err,
          /3 left out\. Cannot open what is sealed: LEAD_ENCRYPTION_KEYS has no second\n$/,
        );

        const refused = await leads(["erase", "GRACE@example.com"], operator);
        deepEqual([refused.code, refused.out], [2, ""]);
        const erased = await leads(["erase", "GRACE@example.com", "--yes"], operator);
        deepEqual([erased.code, erased.err], [0, ""]);
        match(
          erased.out,
          /^Erased 1 lead of .*\n {2}0 queue entries\n {2}0 dead letters\n {2}2 index/,
        );
        match((await leads(["erase", emails[1]!, "--yes"], operator)).out, /^Erased 0 leads /);
        equal((await leads(["purge"], operator)).out, "0 leads purged\n");
        match((await leads(["list"], operator)).out, /\n2 leads\n$/);
        equal(await service.end(), 0);
      }, { LEAD_TARGETS: receiver.url, LEAD_ENCRYPTION_KEYS: key("one") }),
    (n) => new Response(null, { status: n === 0 ? 410 : 204 }),
  ));

Deno.test("where there is no KV none is made, and what is wrong is told in a line", () =>
  withFolder(async (folder) => {
    const cases: readonly (readonly [env: Record<string, string>, code: number, says: RegExp])[] = [
      [{}, 1, /^Cannot open KV at \.data\/frontdoor\.sqlite .*: there is none; start the service/],
      [{ KV_PATH: ".data/x" }, 1, /^Cannot open KV at \.data\/x \(KV_PATH\): there is none/],
      [{ KV_PATH: ":memory:" }, 1, /it lives inside the service's process/],
      [{ KV_PATH: `${folder}/x` }, 1, /--allow-read/],
      [{ LEAD_RETENTION: "soon" }, 2, /LEAD_RETENTION must be/],
      [{ LEAD_ENCRYPTION_KEYS: "secret" }, 2, /LEAD_ENCRYPTION_KEYS entry 1 must be/],
    ];
    for (const [env, code, says] of cases) {
      const ended = await leads(["list"], { folder, env });
      equal(ended.code, code, ended.err);
      match(ended.err, says);
      ok(!/ {4}at |secret/.test(ended.err));
    }
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
    equal((await leads(["help"], { folder })).code, 0);
  }));
