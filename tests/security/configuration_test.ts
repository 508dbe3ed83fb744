/** @module Permissions of tasks, exact dependencies, and the scripts of workflows. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { PREFIXES } from "../../config/misspelt.ts";
import { VARIABLES } from "../../config/config.ts";
import { run } from "../support/command.ts";
import { withFolder } from "../support/service.ts";

const ROOT = new URL("../../", import.meta.url);
const CONFIG = await read("deno.json");
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
  // A program of the platform opens the browser; the faces are served.
  const faces = ["static/assets/display.woff2", "static/assets/text.woff2"];
  const run = ["xdg-open", "open", "explorer"];
  deepEqual(inbox, { ...leads, read: [...read, ...faces], run });
  deepEqual(dev, { read: true, run: true }); // it runs the service with the service's permissions
  deepEqual(pages, { read: ["static", "routes/app.ts"] });
  deepEqual(tests, { run: true });
  deepEqual(more, {});
});

Deno.test("init and pictures may read any logo, write static/, .env and their record, and use no network", async () => {
  const { permissions } = await read("cli/init/deno.json");
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

/** The most packages that each folder may bring; the tests' many are on no user's machine. */
const MOST = { "": 25, "contract/": 25, "cli/init/": 25, "tests/": Infinity };

async function read(file: string) {
  return JSON.parse(await Deno.readTextFile(new URL(file, ROOT)));
}

Deno.test("every dependency has one exact version, and every lock file its integrity", async () => {
  const versions = new Map<string, string>();
  for (const [folder, most] of Object.entries(MOST)) {
    const { imports } = await read(`${folder}deno.json`);
    const { specifiers, npm } = await read(`${folder}deno.lock`);
    for (const [name, specifier] of Object.entries<string>(imports)) {
      match(specifier, /^npm:(?:@[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/);
      ok(specifier in specifiers, `${folder}deno.lock has no ${specifier}`);
      equal(specifier, versions.get(name) ?? specifier);
      versions.set(name, specifier);
    }
    for (const [name, { integrity }] of Object.entries<{ integrity: string }>(npm)) {
      match(integrity ?? "", /^sha512-/, name);
    }
    ok(Object.keys(npm).length <= most, `${folder}deno.lock has more than ${most} packages`);
  }
});

Deno.test("a release needs a version with a section in the changelog, and prints that section", () =>
  withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/.ci`);
    await Deno.copyFile(new URL(".ci/release_notes", ROOT), `${folder}/.ci/release_notes`);
    const sections = ["[Unreleased]\n\nSoon", "[1.2.30] - 2026-11-02\n\nB"];
    const text = ["# Changelog", ...sections, "[1.2.3]\n\n### Added\n\nA", "[1.0.0]\n"];
    await Deno.writeTextFile(`${folder}/CHANGELOG.md`, text.join("\n\n## "));
    const notes = (tag: string) => run(["bash", ".ci/release_notes", tag], { cwd: folder });
    equal((await notes("v1.2.3")).out, "\n### Added\n\nA\n");
    for (const tag of ["v1.2", "v1.2.4", "v1.0.0", "1.2.3", "v1.2.3-rc.1", "vUnreleased"]) {
      const { code, out, err } = await notes(tag);
      deepEqual([code, out], [1, ""], tag);
      match(err, RegExp(`^Cannot release ${tag}: `));
    }
  }));

/** Results of a night, the open issue before, and what the script does to it. */
const NIGHTS = [
  ["local: success, live: skipped", "", /^$/],
  ["local: success, live: skipped", "7", /^issue close 7 --comment .*RUN$/],
  ["local: failure", "", /^label .*\nissue create --label nightly .* seed 42 at C0DE: RUN/],
  ["local: cancelled", "7", /^issue comment 7 .*, with seed 42 at C0DE: RUN\n[^]* -f seed=42\n/],
] as const;

Deno.test("failed nights share one issue, which the next good night closes", () =>
  withFolder(async (folder) => {
    const fake = `#!/bin/sh\ncase "$*" in "issue list"*) echo "$OPEN" ;; *) echo "$*" ;; esac\n`;
    await Deno.writeTextFile(`${folder}/gh`, fake, { mode: 0o755 });
    const PATH = `${folder}:${Deno.env.get("PATH")}`;
    for (const [RESULTS, OPEN, expected] of NIGHTS) {
      const env = { PATH, RESULTS, OPEN, SEED: "42", COMMIT: "C0DE", RUN: "RUN" };
      const { code, out, err } = await run(["bash", ".ci/report_night"], { cwd: ROOT, env });
      equal(code, 0, err);
      match(out.trim(), expected);
    }
  }));
