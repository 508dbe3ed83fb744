/** @module What workflows may do, and their scripts: the notes of a release, the issue about failed nights. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { parse } from "yaml";
import { run } from "./support/command.ts";
import { withFolder } from "./support/service.ts";

const ROOT = new URL("../", import.meta.url);
const FOLDER = new URL(".github/workflows/", ROOT);

/** What jobs may write; all others only read the repository. */
const MAY_WRITE: Readonly<Record<string, readonly string[]>> = {
  "nightly.yml report": ["issues"],
  "release.yml image": ["packages"],
  "release.yml publish": ["attestations", "contents", "id-token", "packages"],
};

Deno.test("jobs write only what they must, actions are pinned, and secrets reach only the deploy command", async () => {
  for await (const { name } of Deno.readDir(FOLDER)) {
    const { permissions, jobs } = parse(await Deno.readTextFile(new URL(name, FOLDER)));
    deepEqual(permissions, { contents: "read" }, name);
    // deno-lint-ignore no-explicit-any -- jobs and steps as YAML has them
    for (const [id, { steps = [], uses, env, permissions = {} }] of Object.entries<any>(jobs)) {
      const written = Object.keys(permissions).filter((scope) => permissions[scope] === "write");
      deepEqual(written, MAY_WRITE[`${name} ${id}`] ?? [], id);
      ok(!JSON.stringify({ uses, env }).includes("secrets."), id);
      for (const step of steps) {
        match(step.uses ?? "a/b@v1", /^[\w-]+\/[\w.-]+@v\d+(?:\.\d+)*$/);
        ok(!step.run?.includes("${{"), "an input would be run as shell");
        const isDeploy = /^npx --yes deno@[\d.]+ deploy\b/.test(step.run ?? "");
        equal(JSON.stringify(step).includes("secrets."), isDeploy);
      }
    }
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
