/**
 * @module The permissions of the tasks. All process tests run the service with exactly these, and
 * `tests/process/start_test.ts` removes each. The network is not narrowed, because the hosts of targets
 * and KV are configuration.
 */

import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { PREFIXES } from "../../config/misspelt.ts";
import { VARIABLES } from "../../config/config.ts";

const CONFIG = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));

const FILES = { net: true, read: ["static", ".data"], write: [".data"] };

Deno.test("the service may use the network, its variables, static/ and .data/; doctor and leads no other files", () => {
  const exact = VARIABLES.filter((name) => !PREFIXES.some((prefix) => name.startsWith(prefix)));
  // Deno itself reads the token when KV is remote, the library `yaml` the next two, the start the last.
  const others = ["DENO_KV_ACCESS_TOKEN", "LOG_STREAM", "LOG_TOKENS", "TERM"];
  const operator = VARIABLES.filter((name) =>
    /^KV_|^LEAD_(?:TARGETS|RETENTION|ENCRYPTION_KEYS)$/.test(name)
  );
  const { service, dev, doctor, leads, ...more } = CONFIG.permissions;
  service.env.sort();
  leads.env.sort();
  const own = [...exact, ...PREFIXES.map((prefix) => `${prefix}*`), ...others].sort();
  deepEqual(service, { ...FILES, env: own });
  deepEqual(doctor, { ...FILES, env: true });
  const token = "DENO_KV_ACCESS_TOKEN";
  deepEqual(leads, { ...FILES, read: [".data"], env: [...operator, token].sort() });
  deepEqual(dev, { read: true, run: true }); // it runs the service with the service's permissions
  deepEqual(more, {});
});

Deno.test("the tasks run with their permission sets and nothing else", () => {
  for (const [task, set] of [["start", "service"], ["dev"], ["leads"], ["doctor"]]) {
    const { command } = CONFIG.tasks[task!];
    match(
      command,
      new RegExp(
        `^deno run (?:-q )?(?:--no-prompt )?-P=${set ?? task} [^- ]+$`,
      ),
    );
  }
});
