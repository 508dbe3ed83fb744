/**
 * @module Backup and restore by the guide's own commands, on the SQLite file of a service that takes
 * leads all the while: what was answered before the backup began is there after the restore.
 *
 * Users and folders are the test's; stopping and starting are done here, in place of systemd.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { documented } from "../docs/document.ts";
import { Terminal } from "../docs/terminal.ts";
import { postLead } from "../support/post_lead.ts";
import { startService, withFolder } from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";
import { until } from "../support/until.ts";

/** Limits out of the way. */
const ENV = { LEAD_RATE_LIMIT: "100000/10m", LEAD_ATTEMPT_LIMIT: "100000/10m" };

/** Sends leads one after the other, eight at a time, until it is told to stop. */
class Senders {
  readonly answered: string[] = [];
  #stopped = false;
  readonly #done: Promise<unknown>;

  constructor(url: string) {
    this.#done = Promise.all(Array.from({ length: 8 }, (_, n) => this.#send(url, n)));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  async #send(url: string, sender: number): Promise<void> {
    for (let n = 0; !this.#stopped; n++) {
      const company = `Company ${sender}-${n}`;
      const response = await postLead(url, { ...LEAD, company });
      await response.body?.cancel();
      if (response.status === 200) this.answered.push(company);
    }
  }
}

/** A command of the guide, with the folders of a test and its user. */
function adapted(command: string, folder: string): string {
  return command.replace(/^sudo (?:-u frontdoor )?/, "")
    .replaceAll("-o frontdoor ", "")
    .replaceAll("/var/lib/frontdoor", `${folder}/.data`)
    .replaceAll("/var/backups/frontdoor", `${folder}/backups`);
}

/** The companies of all leads that are held, by the operator's program. */
async function companies(folder: string): Promise<Set<string>> {
  const { tasks } = JSON.parse(
    await Deno.readTextFile(new URL("../../deno.json", import.meta.url)),
  );
  const program = new URL("../../cli/leads.ts", import.meta.url).pathname;
  const line = tasks.leads.command.replace("cli/leads.ts", program);
  const { code, out, err } = await new Terminal(folder).run(`${line} export --format jsonl`);
  equal(code, 0, err);
  return new Set(out.trimEnd().split("\n").map((one) => JSON.parse(one).company));
}

Deno.test("what was answered before the backup is there after the restore", () =>
  withFolder(async (folder) => {
    const commands = await documented("deploy/README.md", "Backup and restore");
    const terminal = new Terminal(folder);
    const succeeds = async (begins: string) => {
      const command = adapted(commands.take(begins), folder);
      const { code, out, err } = await terminal.run(command);
      equal(code, 0, `${command}: ${err}`);
      return out;
    };

    const service = await startService(folder, ENV);
    const senders = new Senders(service.url);
    await until("there are 300 leads", () => senders.answered.length >= 300, 30_000);
    await succeeds("sudo install -d ");
    const before = [...senders.answered];
    await succeeds("sudo -u frontdoor sqlite3 ");
    const during = senders.answered.length;
    equal(await succeeds("sudo -u frontdoor sqlite3 "), "ok\n");
    await until("leads come in after it", () => senders.answered.length > during + 50, 30_000);
    await senders.stop();

    equal(commands.take("sudo systemctl stop "), "sudo systemctl stop frontdoor");
    equal(await service.end(), 0);
    await succeeds("sudo rm -f ");
    await succeeds("sudo -u frontdoor cp ");
    equal(commands.take("sudo systemctl start "), "sudo systemctl start frontdoor");
    commands.end();

    const again = await startService(folder, ENV);
    const held = await companies(folder);
    deepEqual(before.filter((company) => !held.has(company)), []);
    ok(held.size < senders.answered.length, "it is the backup, and not the file of before");
    const response = await postLead(again.url, { ...LEAD, company: "After the restore" });
    deepEqual(await response.json(), { ok: true, delivered: false });
    equal(await again.end(), 0);
  }));

Deno.test("a copy of the one file misses leads, as the guide warns", () =>
  withFolder(async (folder) => {
    const service = await startService(folder, ENV);
    const response = await postLead(service.url);
    equal(response.status, 200);
    await response.body?.cancel();
    await Deno.copyFile(`${folder}/.data/frontdoor.sqlite`, `${folder}/copy.sqlite`);
    await service.end("SIGKILL");
    const counted = await new Terminal(folder).run(
      `sqlite3 copy.sqlite "SELECT count(*) FROM kv"`,
    );
    match(`${counted.out}${counted.err}`, /^0\n|no such table: kv/);
  }));
