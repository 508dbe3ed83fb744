/** @module The permissions of the tasks; `tests/process/start_test.ts` removes each of the service's. */

import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { PREFIXES } from "../../config/misspelt.ts";
import { VARIABLES } from "../../config/config.ts";

const CONFIG = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));
const FILES = { net: true, read: ["static", ".data", ".env"], write: [".data"] };

Deno.test("the service may use the network, its variables, static/, .data/ and .env; doctor, leads and inbox no other files", () => {
  const exact = VARIABLES.filter((name) => !PREFIXES.some((prefix) => name.startsWith(prefix)));
  // Deno itself reads the token when KV is remote, the start the other.
  const others = ["DENO_KV_ACCESS_TOKEN", "TERM"];
  const ofLeads = /^KV_|^LEAD_(?:TARGETS|RETENTION|ENCRYPTION_KEYS)$/;
  const operator = VARIABLES.filter((name) => ofLeads.test(name));
  const { service, dev, doctor, leads, inbox, pages, tests, ...more } = CONFIG.permissions;
  service.env.sort();
  leads.env.sort();
  inbox.env.sort();
  const own = [...exact, ...PREFIXES.map((prefix) => `${prefix}*`), ...others].sort();
  deepEqual(service, { ...FILES, env: own });
  deepEqual(doctor, { ...FILES, env: true });
  const token = "DENO_KV_ACCESS_TOKEN";
  const read = [".data", ".env", "static/words"];
  deepEqual(leads, { ...FILES, read, env: [...operator, token].sort() });
  // A program of the platform opens the browser; the face of the headings is served.
  const face = "static/assets/display.woff2";
  const run = ["xdg-open", "open", "explorer"];
  deepEqual(inbox, { ...leads, read: [...read, face], run });
  deepEqual(dev, { read: true, run: true }); // it runs the service with the service's permissions
  deepEqual(pages, { read: ["static", "routes/app.ts"] });
  deepEqual(tests, { run: true });
  deepEqual(more, {});
});

Deno.test("init and pictures may read any logo, write static/, .env and their record, and use no network", async () => {
  const file = new URL("../../cli/init/deno.json", import.meta.url);
  const { permissions } = JSON.parse(await Deno.readTextFile(file));
  const write = ["../../static", "../../.env", "../../.env.new", "made.json", ".made.json.new"];
  const env = ["HOME", "INIT_CWD"];
  deepEqual(permissions, { init: { env, read: true, write } });
  for (const { command } of [CONFIG.tasks.init, CONFIG.tasks.pictures]) {
    match(command, /^deno run -q --no-prompt --config [^- ]+ -P=init [^- ]+$/);
  }
});

Deno.test("the tasks run with their permission sets and nothing else", () => {
  for (const [task, set] of [["start", "service"], ["dev"], ["leads"], ["inbox"], ["doctor"]]) {
    const { command } = CONFIG.tasks[task!];
    match(
      command,
      new RegExp(`^deno run (?:-q )?(?:--no-prompt --env-file )?-P=${set ?? task} [^- ]+$`),
    );
  }
});
