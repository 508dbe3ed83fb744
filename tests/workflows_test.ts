/** @module Workflows and their scripts: pins, least permissions, deploy, release, the issue about nights. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { parse } from "yaml";
import { run, runDeno } from "./support/command.ts";
import { withFolder } from "./support/service.ts";

const ROOT = new URL("../", import.meta.url);
const FOLDER = new URL(".github/workflows/", ROOT);

// deno-lint-ignore no-explicit-any -- jobs and steps as YAML has them
type Yaml = any;

const names = (await Array.fromAsync(Deno.readDir(FOLDER))).map(({ name }) => name).sort();
const workflows = new Map<string, Yaml>(
  await Promise.all(names.map(async (name) => {
    const text = await Deno.readTextFile(new URL(name, FOLDER));
    return [name, parse(text, { strict: true, uniqueKeys: true })] as const;
  })),
);
const { tasks, deploy } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
const ci = await Deno.readTextFile(new URL(".ci/run", ROOT));
const [, tested] = /^deno_version=(.*)$/m.exec(ci)!;

const LOCKS = ["cli/init/deno.lock", "contract/deno.lock", "tests/deno.lock"];

function jobsOf(name: string): [id: string, job: Yaml][] {
  return Object.entries(workflows.get(name).jobs);
}

function stepsOf(name: string): Yaml[] {
  return jobsOf(name).flatMap(([, { steps = [] }]) => steps);
}

function commandsIn(name: string): string {
  return stepsOf(name).map(({ run = "" }) => run).join("\n");
}

/** What jobs may write; all others only read the repository. */
const MAY_WRITE: Readonly<Record<string, readonly string[]>> = {
  "nightly.yml report": ["issues"],
  "release.yml image": ["packages"],
  "release.yml publish": ["attestations", "contents", "id-token", "packages"],
};

Deno.test("actions are pinned, jobs may write only what they must, and secrets reach only the deploy command", () => {
  for (const [name, { permissions, jobs }] of workflows) {
    deepEqual(permissions, { contents: "read" }, name);
    for (const { uses = "" } of [...stepsOf(name), ...Object.values<Yaml>(jobs)]) {
      if (!uses.startsWith("./.github/")) match(uses, /^$|^[\w-]+\/[\w.-]+@v\d+(?:\.\d+)*$/);
    }
    for (const [id, job] of jobsOf(name)) {
      ok(job.uses !== undefined || job["timeout-minutes"] <= 180, id);
      const scopes = Object.keys(job.permissions ?? {});
      const written = scopes.filter((scope) => job.permissions[scope] === "write");
      deepEqual(written, MAY_WRITE[`${name} ${id}`] ?? [], id);
      ok([job.needs ?? []].flat().every((other) => Object.hasOwn(jobs, other)), id);
      ok(!JSON.stringify(job.env ?? {}).includes("secrets."));
    }
    for (const step of stepsOf(name)) {
      ok(!step.run?.includes("${{"), step.run);
      equal(JSON.stringify(step).includes("secrets."), /^deno deploy\b/.test(step.run ?? ""));
    }
    const commands = commandsIn(name);
    const run = [...commands.matchAll(/deno task ([\w:]+)/g)].map(([, task]) => task!);
    deepEqual(run.filter((task) => !Object.hasOwn(tasks, task)), []);
    for (const [, version] of commands.matchAll(/\bdeno@(\S+)/g)) equal(version, tested);
    for (const [path] of commands.matchAll(/(?:\.ci|deploy)\/\w+/g)) {
      Deno.statSync(new URL(path, ROOT));
    }
  }
  for (const name of ["ci.yml", "nightly.yml"]) {
    const locks = [...commandsIn(name).matchAll(/^deno audit.*?(?:--lock=(.*))?$/gm)];
    deepEqual(locks.map(([, lock]) => lock), [undefined, ...LOCKS]);
  }
});

Deno.test("scripts are valid shell; only a pull request's run is cancelled; caches end with what they hold", async () => {
  const scripts = (await Array.fromAsync(Deno.readDir(new URL(".ci/", ROOT)))).map(({ name }) =>
    Deno.readTextFileSync(new URL(`.ci/${name}`, ROOT))
  );
  for (const input of [...scripts, ...names.flatMap(stepsOf).map(({ run = "" }) => run)]) {
    const { code, err } = await run(["bash", "-n"], { input });
    equal(code, 0, `${err}${input}`);
  }
  for (const [name, { concurrency }] of workflows) {
    const cancels = name === "ci.yml" && "${{ github.event_name == 'pull_request' }}";
    equal(concurrency["cancel-in-progress"], cancels, name);
  }
  const groups = [...workflows.values()].map(({ concurrency }) => concurrency.group);
  equal(new Set(groups).size, workflows.size);
  for (const { uses, with: options } of names.flatMap(stepsOf)) {
    if (!uses?.startsWith("actions/cache@")) continue;
    const [, files] = /hashFiles\((.*)\)/.exec(options.key)!;
    for (const [, path] of files!.matchAll(/'(?:\*\*\/)?([^']+)'/g)) {
      await Deno.stat(new URL(path!, ROOT));
    }
  }
});

Deno.test("Dependabot watches every manifest", async () => {
  const { updates } = parse(await Deno.readTextFile(new URL(".github/dependabot.yml", ROOT)));
  const watched = updates.map(({ directory, directories = [directory], ...update }: Yaml) =>
    `${update["package-ecosystem"]} ${directories.join(" ")}`
  );
  deepEqual(watched, [
    ...["github-actions /", "deno / /cli/init /contract /tests", "pip /contract /tests/graders"],
    ...["docker /deploy", "docker-compose /deploy"],
  ]);
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
    equal((await notes("v1.2.30")).out, "\nB\n");
    for (const tag of ["v1.2", "v1.2.4", "v1.0.0", "1.2.3", "v1.2.3-rc.1", "vUnreleased"]) {
      const { code, out, err } = await notes(tag);
      deepEqual([code, out], [1, ""], tag);
      match(err, RegExp(`^Cannot release ${tag}: `));
    }
    const { check, publish } = workflows.get("release.yml").jobs;
    for (const job of [check, publish]) ok(JSON.stringify(job).includes(".ci/release_notes "));
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
    const ids = jobsOf("nightly.yml").map(([id]) => id);
    deepEqual(workflows.get("nightly.yml").jobs.report.needs, ids.filter((id) => id !== "report"));
  }));

Deno.test("main and tags are tested, then published, all at one commit; the contract checks what is live", () => {
  for (const name of ["deploy.yml", "release.yml"]) {
    const [[first, job], ...later] = jobsOf(name) as [[string, Yaml], ...[string, Yaml][]];
    equal(job.needs, undefined);
    const before = [first, ...later.map(([id]) => id)];
    deepEqual(later.map(([, { needs }]) => needs), before.slice(0, -1), name);
    equal(workflows.get(name).jobs.test.uses, "./.github/workflows/ci.yml");
  }
  deepEqual(workflows.get("deploy.yml").on.push, { branches: ["main"] });
  match(commandsIn("deploy.yml"), /^deno task contract --url "\$URL" --live\b/m);
  match(commandsIn("deploy.yml"), /gh workflow run deploy\.yml -f commit=/);
  const steps = ["ci.yml", "deploy.yml"].flatMap(stepsOf);
  const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
  ok(checkouts.every((step) => step.with?.ref === "${{ inputs.commit }}"));
});

Deno.test("deno.json deploys every file that the service imports", async () => {
  // The deploy command requires an organisation and an application in the file.
  for (const name of ["org", "app"]) match(deploy[name], /^[a-z0-9-]+$/);
  deepEqual(deploy.runtime, { type: "dynamic", entrypoint: "main.ts" });
  match(deploy.install, /^deno install --frozen\b/);
  const readme = await Deno.readTextFile(new URL("README.md", ROOT));
  ok(readme.includes(`--install-command "${deploy.install}"`));
  for (const path of deploy.exclude) ok((await Deno.stat(new URL(path, ROOT))).isDirectory);
  const { out } = await runDeno(["info", "--json", deploy.runtime.entrypoint], { cwd: ROOT });
  const { modules } = JSON.parse(out) as { modules: { specifier: string }[] };
  const needed = modules.filter(({ specifier }) => specifier.startsWith(ROOT.href))
    .map(({ specifier }) => specifier.slice(ROOT.href.length));
  ok(needed.includes("leads/delivery/smtp.ts"), "dynamic imports count");
  const excluded = (file: string) => deploy.exclude.some((path: string) => file.startsWith(path));
  deepEqual(needed.filter(excluded), []);
});
