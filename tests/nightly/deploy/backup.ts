/** @module Backup and restore by the guide's commands, except users and systemd, while leads arrive. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { documented } from "../../docs/document.ts";
import { Terminal } from "../../docs/terminal.ts";
import { postLead } from "../../support/post_lead.ts";
import { startService, withFolder } from "../../support/service.ts";
import { taskFlags } from "../../support/start_task.ts";
import { LEAD } from "../../support/test_app.ts";
import { until } from "../../support/until.ts";

const ENV = { LEAD_RATE_LIMIT: "100000/10m", LEAD_ATTEMPT_LIMIT: "100000/10m" };
const SENDERS = 8;

Deno.test("leads that were answered before the backup exist after the restore", () =>
  withFolder(async (folder) => {
    const commands = await documented("docs/self-host.md", "Backup and restore");
    const terminal = new Terminal(folder);
    async function succeeds(line: string): Promise<string> {
      const { code, out, err } = await terminal.run(line);
      equal(code, 0, `${line}: ${err}`);
      return out;
    }
    function next(begins: string): Promise<string> {
      const line = commands.take(begins).replace(/^sudo (?:-u frontdoor )?/, "")
        .replaceAll("-o frontdoor ", "").replaceAll("/var/lib/frontdoor", `${folder}/.data`);
      return succeeds(line.replaceAll("/var/backups/frontdoor", `${folder}/backups`));
    }
    const service = await startService(folder, ENV);
    const answered: string[] = [];
    let stopped = false;
    const senders = Array.from({ length: SENDERS }, async (_, sender) => {
      for (let n = 0; !stopped; n++) {
        const company = `Company ${sender}-${n}`;
        const response = await postLead(service.url, { ...LEAD, company });
        await response.body?.cancel();
        if (response.status === 200) answered.push(company);
      }
    });
    await until("there are 300 leads", () => answered.length >= 300, 30_000);
    await next("sudo install -d ");
    const before = [...answered];
    await next("sudo -u frontdoor sqlite3 ");
    const during = answered.length;
    equal(await next("sudo -u frontdoor sqlite3 "), "ok\n");
    await until("leads come in after it", () => answered.length > during + 50, 30_000);
    stopped = true;
    await Promise.all(senders);

    equal(commands.take("sudo systemctl stop "), "sudo systemctl stop frontdoor");
    equal(await service.end(), 0);
    await next("sudo rm -f ");
    await next("sudo -u frontdoor cp ");
    equal(commands.take("sudo systemctl start "), "sudo systemctl start frontdoor");
    commands.end();

    const again = await startService(folder, ENV);
    const root = new URL("../../../", import.meta.url);
    const flags = (await taskFlags("leads", root.pathname)).join(" ");
    const leads = `deno ${flags} ${root.pathname}cli/leads.ts`;
    const lines = (await succeeds(`${leads} export --format jsonl`)).trimEnd().split("\n");
    const held = new Set(lines.map((line) => JSON.parse(line).company));
    deepEqual(before.filter((company) => !held.has(company)), []);
    ok(held.size < answered.length, "the file was not replaced");
    const response = await postLead(again.url, { ...LEAD, company: "After the restore" });
    deepEqual(await response.json(), { ok: true, delivered: false });
    equal(await again.end(), 0);
  }));
